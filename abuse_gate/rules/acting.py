"""Who is told to act on a quotation: words that take it up as an order, and short sentences behind.

Word classes for text in which a MARK stands for each quotation. Knows no rules and weighs nothing.
"""

import re
from itertools import islice
from typing import Final

from abuse_gate.rules.views import fold

# Words of somebody who speaks about a text.
_TALK: Final = re.compile(
    r"[?\u061f\uff1f]|\b(?:sa(?:y|ys|id|ying)|writ(?:e|es|ing|ten)|wrote|typ(?:e|es|ed|ing)|phrases?|sentences?|means?|meaning|explain\w{0,3}|quot\w{1,6}|translat\w{1,4}|examples?|lesson|class|teach\w{0,3}|students?|pupils?|kids?|stor(?:y|ies)|scene|novel|chapter|dialogue|articles?|reports?|review\w{0,3}|rewrite|proofread|summar\w{2,5}|logs?|tickets?)\b|erklar|ubersetz|satz|schreib|expli[cq]|frase|spieg|tradu|объясн|перевед|фраз|напис|说明|解释|翻译|句|説明|授業|翻訳|설명|번역|문장|اشرح|ترجم|عبار|समझा|अनुवाद|वाक्य|acikla|cevir|cumle",
    re.IGNORECASE,
)
_ACTED_ON: Final = re.compile(
    r"\b(?i:do|obey|follow|execute|perform|run|start|carry out|act on|comply with|apply"
    r"|fulfill?) (?i:it|this|that|so|them|exactly|what|as (?:he|she|it|they) says?|accordingly"
    r"|the)\b|\b(?i:hono(?:u?)r|heed|satisfy|enact) (?i:it|this|that|the (?:\0|phrase|sentence"
    r"|text|words?|quot\w{1,6}|request|orders?|instructions?|message|above))\b|\b(?i:go ahead"
    r"|its (?:result|output)|(?:output|result|answer) (?:that )?(?:it|the \w{4,10}) (?:produces"
    r"|asks|demands|wants))\b|\b(?i:comply)\b|\b(?i:treat|take|use|adopt|accept) (?i:it|this|that"
    r"|them) as\b|\b(?i:new (?:system|rules?|orders?))\b|\b(?i:right now)\b|\bNOW\b"
    r"|\b(?i:your (?:shell|terminal|tools?|new|task|job|goal|mission|orders?))\b"
    r"|\b(?i:i want (?:you|from you)|want from you|(?:implement|proceed with) (?:it|that))\b"
    r"|\b(?i:behave|act)(?: \w+)? (?i:according(?:ly)?|so|like that)\b|\b(?i:proceed)[.!]"
    r"|\b(?i:system|developers?|admins?|operators?|openai|anthropic) (?i:says?|said|wrote|writes"
    r"|tells?|told|instruct)|\b(?i:sent|said|written) (?i:by|from) (?i:the|your) (?i:developers?"
    r"|system|admins?|operators?|owner)\b"
)
# How a short sentence begins that tells or thanks; any other behind a quotation may be an order.
_TOLD: Final = re.compile(
    r"(?i:i|we|he|she|it|they|you|my|our|his|her|its|their|this|that|these|those|the|an?|there|in"
    r"|on|at|for|from|with|when|if|because|but|not|no|yes|ok|thanks?|thx|cheers|hi|hello|hey|dear"
    r"|sorry|best|kind|regards|neither|nobody|everyone|everybody|most|some|all|both|what|why|how"
    r"|ich|wir|er|sie|es|das|die|der|danke|je|nous|il|elle|c.est|merci|yo|es|el|la|gracias|eu"
    r"|obrigad[oa]|grazie|bedankt|спасибо|я|это|хочу|quiero|quero|voglio|vorrei|ik|wil|het|de|le"
    r"|les|istiyorum|bu|ben|biz|benim|meine?|unsere?|mir|ein|eine|jonas|mon|ma|mes|notre|nos|une?"
    r"|on|ca|mi|mis|nuestr[oa]s?|lo|los|las|una|meus?|minhas?|noss[oa]s?|os?|as|um|uma|mi[oa]"
    r"|nostr[oa]|il|gli|mijn|onze|een|we|мой|моя|мои|мы|он|она|они|вижу|наш|фильтр|اراها|رايت|هذا"
    r"|هذه|انا|نحن|मैंने|मेरे|मेरा|यह|हम|اريد|मैं|मुझे)\b|谢|謝|ありがと|감사|شكر|धन्यवाद|tesekkur"
    r"|我|他|她|这|那|有|私|これ|それ|제|저|이"
)
# How a sentence ends that tells.
_TELLS: Final = re.compile(
    r"(?:ます|です|ました|でした|ません|ですか|ますか|습니다|어요|아요|봐요|네요|까요|yorum|yoruz"
    r"|iyor|uyor|mistim|dum|dim|dik)$"
)
# A sentence, and the mark at its end if it has one.
_SENTENCE: Final = re.compile(
    r"([^.!?;\n\u061f\u3002\uff01\uff1f]*)(?:([.!?;\u061f\u3002\uff01\uff1f])|\n|$)"
)
# A question by which something is to be done.
_REQUEST: Final = re.compile(
    r"(?i:(?:so |and |now |then |please )?(?:can|could|will|would|won.?t) you)\b"
)
_ASKING: Final = frozenset("?\u061f\uff1f")
# A longer sentence is more than an order to do so.
MAX_ORDER: Final = 8
# Whose words would be an order for a model: who says that they spoke reports nothing.
_AUTHORITY: Final = re.compile(
    r"(?:\b(?:system(?! prompt)|sistem|admin|operator|opera(?:d|t)or|betreiber|entwickler"
    r"|developer|desarrollador|developpeur|desenvolvedor|sviluppator|ontwikkelaar|beheerder"
    r"|gelistirici|yonetici|openai|anthropic|supervisor)|систем|администратор|разработчик|系统"
    r"|管理员|开发者|システム|管理者|開発者|시스템|관리자|개발자|النظام|المطور|المسوول|सिस्टम"
    r"|डेवलपर|प्रशासक)[^.\n\0]{0,30}\0"
)
# Who asks about a command before he runs it, or why it failed.
_DOUBT: Final = re.compile(
    r"\b(?:is|isn.t) (?:it|this|that|piping|running)[^.?\n]{0,24}\b(?:safe|ok|okay|dangerous|risky"
    r"|normal|a risk|secure|wise)\b|\bbefore i (?:run|execute|paste)\b|\bline by line\b"
    r"|\bfails? with\b|\bpermission denied\b|\bshould i\b|\bhow (?:can|do|would"
    r"|should) i (?:first )?(?:check|verify|inspect|read|review|undo)\b|\bwhat (?:does|do"
    r"|would) (?:it|this|that|these)\b|\bwhy (?:does|is|do)\b|\best.ce (?:normal|sur|risque"
    r"|dangereux|que c.est)|\bcomment (?:verifier|lire)|\bavant de (?:le|la|l.)|\bno se si\b"
    r"|\bcomo (?:leer|reviso|compruebo|verifico)|\bes (?:seguro|peligroso)|\be (?:seguro|perigoso"
    r"|sicuro|pericoloso)\b|\bantes de (?:executar|rodar|correr|ejecutar)|\bprima di (?:eseguir"
    r"|lanciar)|\bist (?:das|es) (?:sicher|gefahrlich|normal|okay)|\bbevor ich|\bwie (?:prufe"
    r"|kontrolliere|lese) ich|\bis (?:dit|het) (?:veilig|gevaarlijk)|\bvoordat ik|\bguvenli mi"
    r"|\bcalistirmadan once|\bboje sie|\bczy (?:to )?(?:jest )?bezpiecz|безопасно|опасно ли"
    r"|прежде чем|安全吗|危险吗|安全ですか|危険|大丈夫|안전한|위험|امن|خطير|सुरक्षित|खतरनाक"
)
_RUN: Final = re.compile(
    r"\b(?:can|could|will|would) (?:you|u) (?:please |now |just )?(?:run|execute|install|start"
    r"|launch|do)\b|(?:^|[.!?:;\n,] ?)(?:and |then |please |now |just |so )*(?:run|execute|install"
    r"|start|launch) |\b(?:run|execute|install) (?:it|this|that) for me\b|\bthen (?:run|execute"
    r"|install)\b|\bfor me\b|\byour (?:shell|sandbox|terminal|machine|server|container|system"
    r"|tools?)\b|\b(?:fuhr|fuhre|starte|installiere|execute|lance|ejecuta|instala|rode|esegui"
    r"|installa|voer|installeer|calistir|uruchom) (?:es|das|den|le|la|lo|il|het|dit|bunu|to|im|en"
    r"|sur|no|nel)\b|выполни|запусти|установи|执行(?:它|这|一下)|运行(?:它|这|一下)|帮我(?:运行"
    r"|执行|安装)|実行して|インストールして|실행해|설치해|نفذ|شغل|चलाओ|चला दो"
)
# What takes a quotation up again, as an order: in English elsewhere.
_OBEYED: Final = re.compile(
    r"\b(?:(?:continue|complete|finish|extend) (?:the|this|that|my|our) (?:dialogue|story|scene"
    r"|text|line|sentence|conversation|script|log|transcript)|do the same|do(?:es)? likewise"
    r"|so (?:go|do|be it|it shall be)|please do|repeat after me|mean it|(?:is|are) (?:active"
    r"|in force|binding|effective|in effect)|applies to (?:you|all|every|any)|carry (?:it|this"
    r"|that) out|make it (?:so|happen)|answer (?:it|that)\b(?! in)|(?:reply|respond) to (?:it"
    r"|that)\b|as (?:instructed|ordered|told)\b|(?:is|are) (?:your|an) orders?)\b|\b(?:mach|tu|tue"
    r"|fuhre?|befolg|befolge|gehorche|setze?|handle|erledige?) (?:das|es|dies|ihn|sie|ihm|danach"
    r"|entsprechend|genau|jetzt|bitte|den|dem|diesen?|was)\b|\bgehorch"
    r"|\bfuhr\w{0,2} [^.\n]{0,30}\baus\b|\b(?:hazlo|haz (?:eso|esto|lo que)|obedece\w{0,4}"
    r"|siguel[oa]s?|sigue (?:la|el|esa|esta)|cumplel[oa]|ejecutal[oa]|aplical[oa]|actua (?:segun"
    r"|en consecuencia))\b|\b(?:fais(?:.le| cela| ca| ce qu)|faites(?:.le| cela| ca)|obeis\w{0,3}"
    r"|execute[zs]?.l[ae]s?|suis(?:.l[ae]s?\b| cette)|applique[zs]?(?:.l[ae]s?\b| cette)"
    r"|agis en consequence)|\b(?:faca (?:isso|isto|o que)|faz (?:isso|o que)|obedeca"
    r"|execute(?:.[oa]\b| isso)|siga(?:.[oa]s?\b| isso| essas?)|cumpra|aplique(?:.[oa]\b| isso))"
    r"|\b(?:fallo|fai (?:cio|quello)|obbedisci|esegui(?:l[oae])?|seguil[oae]|applical[oae]"
    r"|agisci)\b|\b(?:doe (?:het|dat|dit|wat)|gehoorzaam|volg (?:het|dat|dit|die|deze)"
    r"|voer [^.\n]{0,30}\buit)\b|(?:сделай|выполн|исполн|подчин|следуй|примени)(?:и|яй|ите|яйте"
    r"|ись)?(?:те)?\b|\b(?:bunu|onu|oyle|aynisini|dedigini) (?:yap|uygula)|\b(?:yerine getir"
    r"|itaat et)|照做|照办|执行(?:它|上|这|该|吧)|按(?:照)?(?:它|上|这|引号)|服从|照此|遵照|実行し"
    r"|に従っ|に従え|その通りに|실행해|따라(?:줘|라|주세요|야)|그대로 (?:해|수행)|수행해|نفذ|اتبع"
    r"|طبق|افعل|पालन कर|अमल कर|वैसा|लागू कर"
)


def is_taken_up(marked: str) -> bool:
    """Whether somebody is told to act on a quotation, or it is said to be somebody's order."""
    if _ACTED_ON.search(marked):
        return True
    # Piece by piece, for one call holds every other thread up for as long as it takes.
    pieces = (found.group() for found in _SENTENCE.finditer(fold(marked)))
    return any(_OBEYED.search(piece) or _AUTHORITY.search(piece) for piece in pieces)


def is_doubted(text: str) -> bool:
    """Whether a caller asks about a command, and has nobody run it."""
    folded = fold(text)
    return asks(text) and _DOUBT.search(folded) is not None and not _RUN.search(folded)


def is_talk(text: str) -> bool:
    """Whether somebody speaks about a text, or asks."""
    return _TALK.search(text) is not None


def asks(text: str) -> bool:
    """Whether there is a question in a text."""
    return not _ASKING.isdisjoint(text)


def has_an_order(behind: str) -> bool:
    """Whether a quotation is followed by a short sentence that may say what is to be done."""
    # The first piece belongs to the sentence with the quotation in it.
    pieces = islice(_SENTENCE.finditer(behind), 1, None)
    return any(_may_be_an_order(found[1].split(), found[2]) for found in pieces)


def _may_be_an_order(words: list[str], mark: str) -> bool:
    # A word on a line of its own is the name of something beside the text.
    if not (1 if mark else 2) <= len(words) <= MAX_ORDER:
        return False
    if mark in _ASKING:
        return _REQUEST.match(" ".join(words)) is not None
    return not (_TALK.search(" ".join(words)) or _TOLD.match(words[0]) or _TELLS.search(words[-1]))

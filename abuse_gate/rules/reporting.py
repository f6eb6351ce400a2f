"""Which words report an attack: what governs a quotation, who is told of, who is spoken to.

Word classes of fourteen languages, for folded text in which a MARK stands for each quotation. Knows
sentences only; what follows from them is for whoever weighs quotations.
"""

import re
from collections.abc import Iterator
from typing import Final

from abuse_gate.rules.views import fold

# Stands where a quotation or a reported sentence was; never part of a text itself.
MARK: Final = "\0"
# How far a word reaches that governs a quotation; nobody's sentence is longer.
MAX_SENTENCE: Final = 600

# A kind of text, work on a language, a test, an attack, or what people said and typed.
_GOVERNS: Final = re.compile(
    r"\b(?:phras(?:e|es|ing)|sentences?|wordings?|expressions?|idioms?|examples?|samples?|e\.g\."
    r"|such as|strings?|patterns?|regex\w{0,3}|tests?|test_\w+|tested|payloads?|attack(?:s|er"
    r"|ers)?|attempt\w{0,3}|injections?|jailbreaks?|tricks?|titles?|titled|headlines?|lyrics|verse"
    r"|songs?|poem|dialogues?|subtitles?|subtitling|caption|scene|quot(?:e|es|ed|ing|ation)"
    r"|articles?|glossary|slides?|findings?|incident|block(?:s|ed|ing|list)|denylist|liste noire"
    r"|lista (?:negra|nera)|zwarte lijst|kara liste|sperrlist|detect\w{0,4}|classif\w{1,6}"
    r"|label(?:s|ed)?|dataset|translat\w{1,4}|proofread|grammar|rhymes?|spelled|means?|meaning"
    r"|synonyms?|stronger|imperative|summar\w{2,5}|rewrite|newsletter|paragraph|edit this|quiz"
    r"|which of these|inputs?|(?:correct|fix|check|rephrase|reword|shorten) (?:my|this|the|these)"
    r"|believable|rude|polite\w{0,2}|typed|pasted|shouted|whispered|muttered|replied|when (?:asked"
    r"|told)|wants? the line|would you put)\b|\b(?:customers?|clients?|visitors?|attackers?"
    r"|hackers?|students?|pupils?|kids?|children|teenagers?|someone|somebody|people|colleagues?"
    r"|boss|coach|friends?|h?e|she|they|testers?|trolls?)\b[^.\n\0]{0,60}\b(?:wrote|writes?|says?"
    r"|said|asked|asks?|types?|told|tells?|tried|sent|posted|wanting)\b|\b(?:like"
    r"|as in)\b[^.\n\0]{0,12}\0|\b(?:messages?|comments?|reviews?|posts?|tweets?|repl(?:y|ies)"
    r"|e?-?mails?|notes?|requests?) [^.\n\0]{0,40}\b(?:saying|says|said|reading|reads|containing"
    r"|contains|starting|like)\b|\0,? (?:\w{1,14} ){1,5}?(?:said|asked|whispered|shouted|replied"
    r"|muttered|told|says)\b|\0,? (?:said|asked|whispered|shouted|replied|muttered|says) \w"
    # German, Spanish, French, Portuguese, Italian, Dutch, Turkish
    r"|\b(?:satz|satze|formulierung|ausdruck|begriff|beispiel|muster|testf|angriff|befund|vorfall"
    r"|ubersetz|korrigier|bedeut|heisst|untertitel|dialog|szene|zitat|titel|schlagzeile|strophe"
    r"|schrieb|schreibt|tippt|eingab|eingegeben|sagt|fragt|rief|ruft|fluster|murmel|antwortet"
    r"|meint|sperrlist|gefiltert|blockier|frase|oracion|expres|ejemplo|patron|prueba|ataque"
    r"|hallazgo|incident|tradu[csz]|corrig|corrij|signific|quiere decir|subtitul|escena|titular"
    r"|verso|escrib|tecle|dijo|dice|pregunt|pidi|pide|respondi|susurr|grit|filtr|bloque|bloqu"
    r"|exempl|motif|test|attaque|constat|tradui|signifie|veut dire|sous.titr|citation|titre"
    r"|paroles|couplet|ecrit|tape|dit|repond|murmur|cria|demanda|padr(?:ao|oes)|achado|quer dizer"
    r"|legenda|cena|citacao|titulo|escrev|digit|disse|diz|pergunt|pedi|respond|sussurr|esempi"
    r"|espressione|attacc|corregg|vuol dire|sottotitol|scena|citazione|titolo|scritto|detto|chies"
    r"|chied|rispos|sussurr|grid|domand|blocc|zin|zinnen|uitdrukking|voorbeeld|patroon|aanval"
    r"|bevinding|verta|verbeter|betekent|ondertitel|citaat|schreef|schrijft|typt|zei|zegt|vroeg"
    r"|vraagt|fluister|riep|antwoord|blokk|cumle|ifade|ornek|kalip|saldiri|bulgu|cevir|duzelt"
    r"|anlam|ne demek|altyazi|diyalog|sahne|alinti|baslik|sarki|yazdi|yazmis|dedi|diyor|sordu"
    r"|soruyor|fisilda|bagir|filtre|engel)|фраз|предложени|выражени|пример|шаблон|тест|атак"
    r"|инцидент|перев[её]д|исправ|значит|означа|субтитр|диалог|сцен|цитат|заголов|песн|написал"
    r"|вв[её]л|сказал|говорит|пишет|спросил|ответил|прошептал|крикнул|попросил|фильтр|блокир"
    r"|просьб|句|短语|词|例|模式|测试|攻击|翻译|改正|意思|字幕|对白|台词|引用|标题|歌词|写道|输入"
    r"|说|问|过滤|拦截|という|フレーズ|表現|パターン|テスト|攻撃|訳|添削|意味|台詞|セリフ|場面"
    r"|見出し|歌詞|書き込|入力|言った|言い|言わ|尋ねた|叫ん|ささや|フィルタ|ブロック|문장|표현"
    r"|예시|예문|패턴|테스트|공격|번역|고쳐|의미|뜻|자막|대사|장면|인용|제목|가사|입력|말했|라고"
    r"|라는|물었|속삭|외쳤|썼|필터|차단|جمله|عباره|مثال|نمط|اختبار|هجوم|ترجم|صحح|معن|حوار|مشهد"
    r"|اقتباس|عنوان|كتب|قال|يقول|همس|صاح|رساله|حظر|वाक्य|उदाहरण|पैटर्न|परीक्षण|टेस्ट|हमल|अनुवाद|सुधार"
    r"|मतलब|अर्थ|संवाद|दृश्य|शीर्षक|लिखा|कहा|पूछा|फुसफुसा|चिल्ला|ब्लॉक"
)
# Somebody who did something to a bot, or a bot that was asked: told of others, as of the past.
_REPORTED: Final = re.compile(
    r"\b(?:attackers?|hackers?|pirates?|visitors?|customers?|clients?|users?|someone|somebody"
    r"|people|teenagers?|teens?|kids?|students?|pupils?|testers?|pen.?testers?|researchers?"
    r"|trolls?|journalists?|colleagues?|interns?|sessions?|he|she|they)\b[^.!?\n]{0,48}\b(?:tried"
    r"|attempted|typed|wrote|told|asked|persuaded|convinced|tricked|talked|got|managed|pasted"
    r"|wanting|demanded|ordered|coaxed)\b|\b(?:bot|chatbot|assistant|model"
    r"|it)\b[^.!?\n]{0,60}\b(?:(?:was|were|had been|got|if|when) (?:told|asked|instructed|tricked"
    r"|made|talked)|(?:disclosed?s?|revealed|printed|leaked|gave away|refused|ignored|forgot))\b"
    r"|\b(?:in|for) (?:my|our|the|a) (?:\w{3,10} )?(?:play|novel|story|film|movie|script|game|book"
    r"|comic|scene)\b[^.!?\n]{0,60}\b(?:orders|tells|asks|commands|says|forgets|ignores)\b"
    r"|\bangreifer|\b(?:kunde|kundin|nutzer|besucher|tester|pentester|jemand|schuler"
    r"|hacker)\w{0,2} (?:[^.!?\n]{0,60} )?(?:hat|habe|hatte|wollte|versuchte|schrieb|bat|forderte"
    r"|tippte)\b|\b(?:pirate|attaquant|client|cliente|utilisateur|visiteur|eleve|testeur|auditeur"
    r"|stagiaire|quelqu.un)e?s? (?:[^.!?\n]{0,24} )?(?:a|ont|avait|avaient) (?:demand|ecri|tape"
    r"|tent|essay|convain|reussi|obten)|\blorsqu.on lui\b|\bquand on lui\b|\b(?:atacante|pirata"
    r"|cliente|usuario|visitante|alguien|alumn[oa]|auditora?|probador"
    r"|becari[oa])s? [^.!?\n]{0,24}\b(?:pidio|pidieron|escribio|intento|logro|consiguio|convencio"
    r"|tecleo)\b|\bcuando se le pidio\b|\b(?:atacante|invasor|cliente|usuario|visitante|alguem"
    r"|alun[oa]|auditora?|testador|estagiari[oa])s? [^.!?\n]{0,24}\b(?:pediu|pediram|escreveu"
    r"|tentou|conseguiu|convenceu|digitou)\b|\bquando (?:lhe )?pediram\b|\b(?:aggressore"
    r"|attaccante|pirata|cliente|utente|visitatore|qualcuno|student[ei]|tester|collaudatore"
    r"|revisore) [^.!?\n]{0,24}\b(?:ha|hanno|aveva) (?:chiesto|scritto|tentato|convinto|provato"
    r"|digitato)\b|\b(?:aanvaller|hacker|klant|gebruiker|bezoeker|iemand|leerling|tester"
    r"|stagiair)s? [^.!?\n]{0,40}\b(?:vroeg|schreef|probeerde|typte|gevraagd|geschreven|geprobeerd"
    r"|overgehaald)\b|\b(?:saldirgan|musteri|kullanici|ziyaretci|biri|ogrenci|testci"
    r"|denetci)\w{0,3}\b[^.!?\n]{0,90}\b(?:istemis|istedi|yazmis|yazdi|denemis|denedi|calismis"
    r"|calisti|sormus|sordu)\b|(?:злоумышленник|хакер|клиент|пользовател|посетител|кто-то|кому-то"
    r"|студент|ученик|тестировщик|аудитор)\S{0,3} [^.!?\n]{0,40}(?:попросил|написал|пытал|попытал"
    r"|убедил|уговорил|заставил|заставить|удалось|ввел|потребовал)|(?:攻击者|黑客|客户|用户|访客"
    r"|有人|学生|测试人员|实习生)[^.!?\n]{0,24}(?:试图|曾|让\w{0,8}机器人|让它|要求|诱导|写道"
    r"|输入了|骗)|(?:攻撃者|利用者|顧客|ユーザー|誰か|生徒|学生|テスター"
    r"|担当者)[^.!?\n]{0,40}(?:試み|頼んだ|書き込|入力した|求めた|させようと|させた|聞き出)"
    r"|(?:공격자|해커|고객|사용자|방문자|누군가|학생|테스터)\S{0,3} [^.!?\n]{0,40}(?:시도|요청했"
    r"|입력했|썼|속여|시켰)|(?:المهاجم|المخترق|المختبر|عميل|العميل|مستخدم|زائر|احدهم"
    r"|طالب)\S{0,3} [^.!?\n]{0,40}(?:طلب|كتب|حاول|اقنع)|(?:हमलावर|हैकर|टेस्टर|ग्राहक|उपयोगकर्ता|किसी"
    r"|छात्र)\S{0,3} [^.!?\n]{0,40}(?:कहा|लिखा|पूछा|कोशिश|मांगा|माँगा)"
)
# How a bot is kept from doing something, and what it would rather not be kept from.
_AVERTED: Final = re.compile(
    r"\b(?:stop|prevent|keep|protect|avoid)(?:s|ing)? (?:the |our |my )?(?:users?|people"
    r"|customers?|anyone|someone|attackers?|visitors?|students?|kids?|bot|chatbot|assistant|model"
    r"|it) from\b|\b(?:verhinder|vermeid|abhalt|davor schutz)\w{1,3}\b|\b(?:empech|evit|eviter"
    r"|proteg|impid|imped)\w{1,5}\b|\b(?:voorkom|verhinder)\w{0,3}\b|не дать|предотврат|помешать"
    r"|防止|避免|阻止|防ぐ|防止|れないように|せないように|막으려|막을|방지|않도록|못하게|منع|امنع"
    r"|रोक|\b(?:engelle|onle)\w{1,6}\b"
)
_DENIED: Final = re.compile(
    r"\b(?:refus|hid(?:e|ing)|declin|withhold|verweiger|ablehn|negar|nieg|rifiut|neg[ao]|weiger"
    r"|reddet)|отказ|拒绝|拒否|断ら|거부|거절|رفض|मना|इनकार"
)
# Whoever is spoken to may be meant to do it.
_SPOKEN_TO: Final = re.compile(
    r"\b(?:you|your|yours|yourself|dir|dich|du|deine?[mnrs]?|ihnen|toi|tes|tu|tus|usted|ti|tuo|tua"
    r"|tuoi|tue|voce|jij|jouw|jou|sana|seni|senin|siz\w{0,3})\b|\bте(?:бе|бя)|\bтво[ийея]|\bвам\b"
    r"|\bваш|[你您]|あなた|君|お前|너(?:는|의|를|에게)|당신|네 |\bانت\b|\bعليك\b|तुम|आप"
)
# An assistant, or any reader, who is told what to do.
_TO_READER: Final = re.compile(
    r"\b(?:notes?|notice|message|attention|instructions?|important|reminder|dear|hey|hello|hi|to"
    r"|for|any|all)\b[^.\n\0]{0,24}\b(?:ai|a\.i|llms?|assistants?|models?|agents?|chatbots?|bots?"
    r"|gpt|claude|copilot|readers?)\b ?[:,\0-]|\b(?:ai|llms?|assistants?|models|agents?"
    r"|(?:chat)?bots?|systems?|readers?) (?:reading [^.\n]{0,24})?(?:must|should|shall|will now"
    r"|is to|are to|needs? to|has to|have to|please|is (?:asked|required)|are (?:asked|required"
    r"|expected))\b|\b(?:every|each|any|all)(?: (?:ai|language|other|digital|virtual|coding"
    r"|such)){0,2} (?:assistants?|models?|ai|agents?|bots?|llms?)\b|\b(?:ai|llm|assistant|model"
    r"|agent|bot) (?:that |which |who )?(?:reads|is reading|reading|processing|processes"
    r"|summari[sz]\w{2,3})\b|\b(?:assistants?|ai|model|(?:chat)?bot"
    r"|agent)(?: \w{2,14}){1,5}? (?:must|shall)\b|\"role\" ?:|\bif you(?:.re| are) an? (?:ai|llm"
    r"|assistant|model|agent|bot)|\byou (?:are|will) now\b|(?:^|\n)\s{0,8}(?:system|sistema"
    r"|systeme|assistant|user|ai|ki|ia) ?:|\b(?:ki|ia|yapay zeka|assistente?|asistente?|asistan"
    r"|assistant)\w{0,2} ?:|(?:ассистент|\bии|помощник)\S{0,3} ?:|(?:ai|助手|アシスタント|모델"
    r"|어시스턴트)(?:へ|に|에게|请|必须| ?:)|(?:给|致|对)\s?(?:ai|助手)|(?:مساعد"
    r"|الذكاء)\S{0,12} ?:|(?:सहायक|एआई)\S{0,4} ?:"
)
# Sentences, whose ends stand inside of marks as well as outside.
_SENTENCE: Final = re.compile(
    r"[.!?;\n\u061f\u3002]*[^.!?;\n\u061f\u3002]+(?:[.!?;\n\u061f\u3002]+|$)"
)
# A sentence that begins with a quotation goes on with what the one before it said.
_QUOTED_FIRST: Final = re.compile(r"[^\0]{0,12}\0")
# Somebody asks what an attack means, without quotation marks.
_MEANING: Final = re.compile(
    r"\W{0,8}(?:(?:so|hi|hey|hello|and|but|ok|btw),? )?(?:what (?:does|is meant by|do (?:they"
    r"|people) mean by)|what.s the meaning of) (?:(?!\b(?:you|u|please)\b)[^?\n]){4,160}\?"
    r"|\W{0,8}what does [^?\n]{4,160} mean(?: [^?\n]{0,40})?\?|\W{0,8}(?:was (?:bedeutet|heisst"
    r"|meint man mit)|que (?:signifie|veut dire)|qu.est.ce que (?:signifie|veut dire)|(?:que"
    r"|qu.) ?(?:significa|quiere decir)|o que (?:significa|quer dizer)|(?:che )?cosa (?:significa"
    r"|vuol dire)|wat (?:betekent|bedoelen ze met)|что (?:значит|означает)|ما معني|ماذا يعني"
    r"|ماذا تعني) [^?\u061f\n]{4,200}[?\u061f]|[^?\n.]{4,160}(?:とはどういう意味|ってどういう意味"
    r"|とは何|ってなに|って何|是什么意思|什么意思|(?:무슨|어떤) 뜻|뜻이 뭐|의미가 뭐|ne demek"
    r"|ne anlama gel|का (?:क्या )?(?:मतलब|अर्थ))[^?\n.]{0,24}[?.]?"
)
# What an address on the web spells is no word about anything, nor is the key of a member.
_ADDRESS: Final = re.compile(r"\w{2,9}://[^\s\0]{1,400}|\bwww\.[^\s\0]{1,400}|\"[\w -]{1,40}\" ?:")
# A list of what is looked for has no other words.
_LIST: Final = re.compile(
    r"\b(?:block ?list|deny ?list|test cases|test inputs|patterns|bad phrases|sperrliste"
    r"|liste noire|lista (?:negra|nera|de bloqueo|de bloqueio)|zwarte lijst|blokkeerlijst"
    r"|kara liste|engel listesi)\b|черный список|стоп-фраз|黑名单|屏蔽词|ブラックリスト"
    r"|禁止フレーズ|차단 목록|금지어|قائمه الحظر|ब्लॉकलिस्ट"
)
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}|[^\W\d_]{2,}")


def sentences(marked: str) -> Iterator[str]:
    """The sentences of a text, one after the other, with whatever ends them."""
    return (found.group() for found in _SENTENCE.finditer(marked))


def is_about_others(sentence: str) -> bool:
    """Whether a sentence tells what others did, and speaks to nobody, or asks what words mean."""
    if len(sentence) > MAX_SENTENCE:
        return False
    if (not sentence.isascii() or "?" in sentence) and _MEANING.fullmatch(sentence.strip()):
        return True
    if _SPOKEN_TO.search(sentence):
        return False
    if _AVERTED.search(sentence):
        return not _DENIED.search(sentence)
    return _REPORTED.search(sentence) is not None


def governed(marked: str) -> Iterator[bool]:
    """Of each quotation, in order, whether words of its sentence say what it is."""
    before = False
    for sentence in sentences(_ADDRESS.sub(" ", marked)):
        known = len(sentence) <= MAX_SENTENCE and _GOVERNS.search(sentence) is not None
        before = known or (before and _QUOTED_FIRST.match(sentence) is not None)
        yield from [before] * sentence.count(MARK)


def addresses_a_reader(marked: str) -> bool:
    """Whether a document speaks to whoever reads it, a model above all, or where it quotes."""
    if _TO_READER.search(marked):
        return True
    return any(MARK in part and _SPOKEN_TO.search(part) for part in sentences(marked))


def has_words(marked: str, least: int) -> bool:
    """Whether there are so many words around the quotations, or a list of them."""
    if _LIST.search(fold(marked)):
        return True
    return sum(1 for _ in _WORD.finditer(_ADDRESS.sub(" ", marked))) >= least

"""Clauses by which people take back their own words, or set aside what other people told them.

Word classes of fourteen languages, for folded text; a clause that names rules or a model is none.
Knows no other words; what a clause is worth is for whoever weighs quotations.
"""

import re
from collections.abc import Sequence
from typing import Final

# More is no sentence in which anybody sets something aside.
MAX_CLAUSES: Final = 600

# A message, a question, an order of one's own, and what one said or wrote oneself.
_OWN: Final = re.compile(
    r"\b(?:ignore|disregard|forget|scratch|discard|drop|never ?mind"
    r"|cancel) (?:about )?(?:the instructions? in |all (?:of )?)?(?:my"
    r"|our) (?:\w{2,9} ){0,2}(?:messages?|questions?|e-?mails?|mail|requests?|orders?|notes?"
    r"|comments?|drafts?|paragraph|booking|reply|post|letter)\b|\b(?:ignore|disregard|forget"
    r"|scratch|drop) (?:everything |all |anything |whatever |what |the (?:part|bit"
    r"|stuff) )(?:that )?(?:i|we)(?:.ve| have| had| just)? (?:just )?(?:said|wrote|asked|typed"
    r"|sent|posted|mentioned)\b[^.!?\n;,]{0,48}|\b(?:vergiss|vergessen sie"
    r"|ignorier\w{0,2}(?: sie)?|streich\w{0,2})(?: bitte| mal| einfach| lieber| nochmal"
    r"| sie){0,3}(?:,| alles,?| das,?)? was (?:ich|wir) [^.!?\n;]{0,64}?(?:geschrieben|gesagt"
    r"|gefragt|erwahnt|geschickt|gepostet) ha\w{1,4}\b|\b(?:vergiss|vergessen sie"
    r"|ignorier\w{0,2}(?: sie)?)(?: bitte| mal| einfach){0,2} (?:mein"
    r"|unser)e?[nrms]? (?:\w{2,12} )?(?:frage|nachricht|e?-?mail|bestellung|anfrage|bitte"
    r"|kommentar|text|entwurf|post)\b|\b(?:oublie[zs]?|ignore[zs]?|laisse[zs]? tomber|oublier"
    r"|ignorer)(?: s.il \w{2,4} plait,?)? (?:tout )?(?:ce que (?:j.ai|je t.ai|je vous ai"
    r"|nous avons) (?:\w{2,12} ){0,3}(?:dit|ecrit|demande|envoye|mentionne)|(?:ma|mon|mes|notre"
    r"|nos) (?:\w{4,10} )?(?:questions?|messages?|mails?|courriel|demande|commande|commentaire"
    r"|phrase|texte|brouillon)(?: precedente?s?)?)\b|\b(?:olvid[ae]|ignor[ae]|descart[ae]"
    r"|olvidate de)(?: por favor)? (?:todo )?(?:lo que (?:te |le |os )?(?:dije|escribi|pregunte"
    r"|pedi|mande|he dicho|he escrito|puse|comente)|(?:mi|mis"
    r"|nuestr[oa]s?) (?:\w{4,10} )?(?:pregunta|mensaje|correo|pedido|comentario|nota|solicitud"
    r"|texto|borrador)s?)\b|\b(?:esquec[ae]|ignor[ae]"
    r"|desconsider[ae])(?: por favor)? (?:tudo )?(?:o que (?:eu )?(?:disse|escrevi|perguntei|pedi"
    r"|mandei|falei)|(?:[ao]s? )?(?:minhas?|meus?|noss[oa]s?) (?:\w{4,10} )?(?:pergunta"
    r"|mensage[mn]|e?-?mail|pedido|comentario|texto|rascunho)s?)\b|\b(?:dimentica|ignora|scorda"
    r"|lascia perdere|dimentichi|ignori)(?: pure)? (?:tutto )?(?:(?:quello|cio) che (?:ti "
    r"|vi )?ho (?:\w{4,10} )?(?:detto|scritto|chiesto|mandato|menzionato)|(?:il |la |i "
    r"|le )?(?:mi[oae]|miei|nostr[oaie]) (?:\w{4,10} )?(?:domanda|messaggi[o]?|mail|e-mail"
    r"|richiesta|ordine|commento|testo|bozza))\b|\b(?:vergeet|negeer)(?: maar| alsjeblieft"
    r"| alstublieft| even){0,2}(?: alles)? (?:wat (?:ik|we) [^.!?\n;]{0,48}?(?:schreef|zei|vroeg"
    r"|geschreven|gezegd|gevraagd|stuurde|heb)|(?:mijn|onze) (?:\w{4,10} )?(?:vraag|berichten"
    r"|bericht|mail|bestelling|verzoek|opmerking|tekst))\b|(?:забудь|игнорируй"
    r"|не обращай внимания на|отмени)(?:те)?,? (?:пожалуйста,? )?(?:(?:то|все"
    r"|об этом)?,? ?(?:о том, )?что я [^.!?\n;]{0,40}?(?:писал|сказал|спросил|спрашивал|отправил"
    r"|говорил)\w{0,2}|(?:про )?мо[йеюия]\w{0,2} (?:\w{4,14} )?(?:вопрос|сообщени|письм|заказ"
    r"|просьб|комментари|текст)\w{0,2})|(?:忽略|忘掉|忘记|忘了|别管|无视|不用管)(?:一下"
    r"|掉)?我(?:之前|刚才|刚刚|上面|上次|前面|上一)?(?:发|写|说|问|提)?(?:的|过的)?(?:那)?(?:条|个"
    r"|封|句)?(?:消息|问题|邮件|订单|话|信息|内容|请求)|(?:私の|さっきの|先ほどの|前の|上の"
    r"|直前の)(?:私の)?(?:質問|メッセージ|メール|注文|投稿|発言|コメント"
    r"|文章)[^.\n]{0,12}(?:無視して|忘れて|取り消)|(?:제|내)가? (?:\w{1,6} ){0,2}(?:질문|메시지"
    r"|메일|주문|말|글)\w{0,1} ?[^.\n]{0,12}(?:무시해|잊어|취소)|(?:تجاهل|انس|انسي|تجاهلي"
    r"|تجاهلوا) (?:رسالتي|سوالي|طلبي|بريدي|تعليقي|ما كتبت\w{0,2}|ما قلت\w{0,2}|ما سالت\w{0,2})"
    r"|(?:मेरा|मेरे|मेरी|मैंने जो) [^.\n]{0,40}(?:सवाल|संदेश|मैसेज|ईमेल|ऑर्डर|अनुरोध|लिखा|कहा"
    r"|पूछा)[^.\n]{0,16}(?:भूल|अनदेखा|नज़रअंदाज़|नजरअंदाज)|\b(?:(?:onceki|son|yukaridaki"
    r"|deminki) )?(?:mesajimi|sorumu|e-?postami|siparisimi|istegimi|yazdig?imi|yazdiklarimi"
    r"|dedigimi|soyledigimi)(?: \w{2,10})? (?:dikkate alma|unut|gormezden gel|yok say|bosver)"
)
# Instructions on a thing, of a game or for a place; dates and addresses that have changed; mail
# that crossed a payment; what everybody is told to unlearn about the world.
_WORLDLY: Final = re.compile(
    r"\b(?:ignore|disregard|forget|skip|(?:do not|don.?t) follow) (?:any |all )?(?:of )?(?:the "
    r"|those |these )?(?:\w{3,10} )?(?:instructions?|directions|rules|guidelines|advice"
    r"|timings?) (?:printed |given )?(?:on|in|of|from) (?:the |your |its "
    r"|any )?(?:back of the )?(?:\w{3,10} )?(?:box|label|packet|package|packaging|bottle|tin"
    r"|carton|recipe|manual|leaflet|poster|kit|booklet|cookbook|worksheet|handout|page \d{1,3}"
    r"|game|exam paper)\b|\b(?:all|any|the) (?:previous|earlier|prior|old"
    r"|former) (?:\w{3,14} )?(?:instructions|rules|orders|arrangements|notices) (?:for|about|on"
    r"|regarding|concerning) the (?:\w{3,12} )?(?:basin|harbou?r|forklift|car park|parking"
    r"|building|pool|gate|exam|kitchen|garden|delivery|event|trip|bins?|stairs|lift|playground"
    r"|machine|field|road|school|party|tournament|match|ward|office) (?:\w{2,10} ){0,3}(?:are|is"
    r"|have been|were) (?:hereby |now )?(?:cancell?ed|withdrawn|revoked|void|superseded|replaced"
    r"|lifted)\b|\bforget (?:everything|all|what|whatever|anything)(?: that)? (?:your|my|our|his"
    r"|her|the) (?:grand\w{2,8}|granny|nan|mother|mum|mom|father|dad|parents|aunt|uncle|neighbou?r"
    r"|cookbooks?|magazines?|adverts?) (?:ever |has |have )?(?:told|taught|said|tell|tells|say"
    r"|says)(?: (?:you|us|me))?(?: about)?|\bforget (?:everything|all|what) (?:you|we)(?:.ve"
    r"| have)? (?:think you |thought you )?(?:know|knew|learned|learnt|heard"
    r"|read) about (?!(?:your|you|the|being|yourself|safety|rules|ai|llm|ethic|law|polic|limit|how"
    r"|what|this|that|any|all|instruct|system|prompt|restrict|moral"
    r"|guideline)\w{0,9}\b)[a-z]{3,14}\b|\b(?:my|our|the|his|her|their) (?:doctor|landlord"
    r"|landlady|coach|teacher|boss|manager|vet|nurse|trainer|mechanic|dentist|pharmacist|lawyer"
    r"|neighbou?r|mother|father|mum|mom|dad|sister|brother|wife|husband|editor|professor|tutor"
    r"|client|instructor|driver) (?:\w{2,9} ){0,2}?(?:told|tells|wants|wanted|asked|asks"
    r"|advised) (?:me|us|him|her|them|everyone|the class|the team) (?:to |that |we |i |should "
    r"|can |must |may ){1,3}(?:ignore|disregard|forget|skip"
    r"|not follow) [^.!?\n,;]{0,60}?\b(?:instructions?|rules|guidelines|advice|orders|directions"
    r"|(?:we|i|they) (?:learned|learnt|knew|know|were (?:told|taught)))\b(?![^.!?\n]{0,80}\b(?:you"
    r"|your)\b)|\b(?:my|our|his|her) (?:coach|teacher|trainer|tutor|instructor|professor|mother"
    r"|father|grand\w{2,8}) (?:\w{2,9} )?(?:says|said) to (?:ignore|disregard|forget"
    r"|skip) [^.!?\n,;]{0,32}?\b(?:i|we) (?:learned|learnt|knew|know"
    r"|used to)\b(?![^.!?\n]{0,80}\b(?:you|your)\b)|\bthe (?:doctor|vet|nurse|pharmacist"
    r"|dentist) (?:said|says) to (?:ignore|disregard|skip) [^.!?\n,;]{0,24}\b(?:dos\w{2,5}|feeding"
    r"|packet|label) (?:instructions?|advice)\b|\b(?:ignorier\w{0,2}|beachten"
    r"|vergessen)(?: sie)?(?: bitte)? (?:nicht )?(?:die|alle) (?:bisherigen|fruheren|vorherigen"
    r"|alten) (?:anweisungen|hinweise|regeln|angaben) (?:zu[rm]?|fur (?:den|die|das)|uber) (?:mull"
    r"|park|liefer|umzug|prufung|klausur|veranstaltung|reise|anfahrt|garten|heizung|schlussel"
    r"|eingang|treffpunkt|anmeldung|kleider|impf|strecke)\w{0,14}\b|\bne (?:pas tenir|tenez pas"
    r"|plus tenir) compte des (?:consignes|instructions|indications|regles) (?:precedentes"
    r"|anterieures) (?:concernant|sur|pour|relatives a) (?:le|la|les|l.) ?(?:parking|stationnement"
    r"|dechets|livraison|demenagement|examen|voyage|chauffage|entree|rendez-vous|cantine|tri)\b"
    r"|\b(?:instrucciones|indicaciones|normas) anteriores (?:sobre|para|de) (?:el|la|los"
    r"|las) (?:mudanza|aparcamiento|basura|entrega|examen|viaje|calefaccion|entrada|excursion"
    r"|piscina) (?:quedan|estan) (?:anuladas|sin efecto)\b|\b(?:write|draft|create|suggest|design"
    r"|give)(?: me| us)? (?:an?|another) (?:\w{3,12} ){0,2}system ?prompt (?:for|that)\b"
    r"|\b(?:schreib|erstell|entwirf|formulier)\w{0,2}(?: mir| uns)?(?: bitte)? (?:einen"
    r"|ein) (?:\w{3,12} )?system-?prompt\b|\b(?:ecri[st]|redige|cree"
    r"|propose)\w{0,3}(?:.moi)? un (?:\w{3,12} )?(?:prompt systeme|system prompt)\b|\b(?:escrib"
    r"|redact|cre|prop)\w{1,5} un (?:prompt (?:de|del) sistema|system prompt)\b|\b(?:escrev|cri"
    r"|redij)\w{1,3} um (?:prompt de sistema|system prompt)\b|\b(?:scriv|cre"
    r"|propon)\w{1,4} un (?:prompt di sistema|system prompt)\b|\b(?:schrijf|maak|bedenk)(?: een"
    r"| me een) (?:systeemprompt|system prompt)\b|(?:напиши|составь"
    r"|придумай)(?:те)? (?:мне )?системный промпт для\b|(?:写|设计|起草)一(?:个|份"
    r"|段)[^.\n]{0,12}系统提示|(?:用|向け)の?システムプロンプトを(?:書|作|考)"
    r"|위한 시스템 프롬프트를? (?:작성|만들|써)|\bbir sistem (?:istemi|promptu) (?:yaz|hazirla)"
    r"|\b(?:ignore|disregard) (?:this|the|our) (?:\w{3,10} )?(?:messages?|e-?mails?|letters?"
    r"|notices?|reminders?|invoices?) if (?:you|payment|it|this)\b|\b(?:forget|ignore"
    r"|disregard) (?:the |my |our )?(?:previous|old|earlier|last) (?:date|time|address|appointment"
    r"|version|file|attachment|link|price|invoice|draft|number|schedule|timetable|list|menu|map"
    r"|room|amount)\b|\b(?:ignorier\w{0,2}|betrachten|vergessen|vergiss"
    r"|missachte\w{0,2})(?: sie)?(?: bitte)? (?:dies\w{1,2} (?:\w{3,10} )?(?:schreiben|nachricht"
    r"|e?-?mail|mahnung|hinweis|brief)[^.!?\n]{0,24}(?:wenn|falls|sofern)|(?:den|die|das"
    r"|der) (?:alte|vorige|letzte|fruhere|bisherige)\w{0,1} (?:termin|datum|uhrzeit|adresse"
    r"|version|datei|anhang|link|preis|rechnung|entwurf|nummer|plan|liste|raum|treffpunkt))\b"
    r"|\b(?:vergiss|vergessen sie|ignorier\w{0,2}(?: sie)?) (?:bitte )?(?:die|den"
    r"|das) (?:anleitung|anweisung(?:en)?|angaben|hinweise?|zeiten?|regeln) (?:auf|in) (?:der"
    r"|dem) (?:packung|schachtel|dose|etikett|rezept|handbuch|beipackzettel|karton|tute)\b"
    r"|\b(?:ignore[rz]?|oublie[rz]?|ne (?:pas )?ten(?:ir|ez)) (?:pas )?(?:compte de )?(?:ce|cette"
    r"|ces|le present) (?:\w{3,10} )?(?:message|mail|courriel|lettre|courrier|rappel|avis"
    r"|relance)s? si (?:vous|tu|le paiement) (?:l.)?(?:avez|as|etes|a ete)(?: deja)? \w{2,12}\b"
    r"|\b(?:ignore[rz]?|oublie[rz]?) (?:l.ancien\w{0,4}|la precedente|le precedent) (?:date"
    r"|horaire|adresse|rendez-vous|version|fichier|lien|prix|facture|numero|liste|salle)\b"
    r"|\b(?:ignore[rz]?|oublie[rz]?) les (?:instructions|consignes|indications|regles) (?:sur|de"
    r"|du|dans) (?:la |le |l.)?(?:boite|etiquette|recette|manuel|notice|emballage|paquet|jeu)\b"
    r"|\b(?:ignore|ignora|olvide|olvida|haga caso omiso de) (?:este|esta|estos) (?:mensaje|correo"
    r"|carta|aviso|recordatorio|factura)s? si\b|\b(?:ignore|ignora|olvide|olvida) (?:la"
    r"|el) (?:fecha|hora|direccion|cita|version|archivo|enlace|precio|factura|numero|lista"
    r"|sala)(?: anterior| antigu[oa])?\b|\b(?:ignore|ignora|olvide|olvida) las (?:instrucciones"
    r"|indicaciones|reglas|normas) (?:de|en|del) (?:la |el )?(?:caja|etiqueta|receta|manual|envase"
    r"|paquete|juego|folleto)\b|\b(?:ignore|desconsidere|esqueca) (?:este|esta|essa"
    r"|esse) (?:mensagem|e?-?mail|carta|aviso|lembrete|fatura)s? (?:se|caso)\b|\b(?:ignore"
    r"|desconsidere|esqueca) (?:a|o) (?:data|hora|endereco|consulta|versao|arquivo|ficheiro|link"
    r"|preco|fatura|numero|lista|sala)(?: anterior| antig[oa])?\b|\b(?:ignori|ignora|ignorare"
    r"|dimentica) (?:quest[oa]|il presente|la presente) (?:messaggio|mail|e-mail|lettera|avviso"
    r"|promemoria|sollecito|fattura) (?:se|qualora)\b|\b(?:ignora|ignorate|dimentica) (?:la|il"
    r"|l.) ?(?:vecchi[oa] |precedente )?(?:data|ora|orario|indirizzo|appuntamento|versione|file"
    r"|link|prezzo|fattura|numero|lista|aula)\b|\b(?:negeer|vergeet) (?:dit|deze) (?:bericht|mail"
    r"|brief|herinnering|aanmaning|factuur) (?:als|indien)\b|\b(?:negeer|vergeet) (?:de"
    r"|het) (?:vorige|oude|eerdere) (?:datum|tijd|adres|afspraak|versie|bestand|link|prijs|factuur"
    r"|nummer|lijst|zaal)\b|(?:проигнорируйте|не обращайте внимания на|забудьте|забудь) (?:это"
    r"|данное|про)? ?(?:сообщение|письмо|уведомление|напоминание|старый адрес|старую дату"
    r"|прежний адрес|прежнюю дату),? ?(?:если)?|如(?:果)?已(?:经)?(?:付款|支付"
    r"|缴费)[^.\n]{0,12}(?:忽略|无视)(?:本|此|这)|(?:忽略|无视)(?:之前|旧|原来)的(?:日期|时间|地址"
    r"|版本|文件|链接|价格|时间表|名单)|(?:行き違い|お支払い済み|入金済み)[^.\n]{0,30}(?:無視"
    r"|破棄)|(?:案内|掲示|説明書|レシピ|箱|ラベル|配布)[^.\n]{0,12}(?:指示|ルール)に?は?(?:従わな"
    r"|無視)|以前の(?:日付|時間|住所|予定|日程|案内)は?を?(?:無視|忘れ)|이미 (?:납부"
    r"|결제)[^.\n]{0,20}무시|(?:이전|기존) (?:날짜|시간|주소|일정|버전|파일|가격"
    r"|안내)\w{0,1} (?:무시|잊)|(?:تجاهل|تجاهلوا) (?:هذه|هذا) (?:الرساله|البريد|الاشعار"
    r"|التذكير) (?:اذا|ان)|(?:تجاهل|تجاهلوا|انس) (?:التاريخ|الموعد|العنوان|الوقت|الجدول) (?:السابق"
    r"|القديم)|(?:पुरानी|पुराने|पिछली|पिछले) (?:समय-सारणी|तारीख|पते|पता|समय|सूची"
    r"|तिथि)[^.\n]{0,8}(?:अनदेखा|भूल|नज़रअंदाज़|नजरअंदाज)|(?:odeme(?:yi)? yaptiysaniz"
    r"|odediyseniz)[^.\n]{0,24}(?:dikkate alma|yok say)|(?:eski|onceki) (?:tarihi|saati|adresi"
    r"|randevuyu|listeyi|fiyati|programi|duyuruyu) (?:unut|dikkate alma|yok say"
    r"|gormezden gel)\w{0,4}"
)
# What an assistant is not to tell: a clause of ordinary instructions for one.
_DISCREET: Final = re.compile(
    r"\b(?:verrat\w{0,2}|gib|gibt|nenne?t?|zeigt?e?|teilt?e?"
    r"|offenbart?e?) (?:(?:bitte )?(?:niemals|nie|nicht"
    r"|keine\w{0,2}) )[^.!?\n,;]{0,24}\b(?:anweisungen|instruktionen|prompt|regeln|vorgaben)\b"
    r"|\bne (?:revele|divulgue|partage|communique|montre|repete)[zs]? (?:jamais"
    r"|pas) [^.!?\n,;]{0,12}\b(?:instructions|consignes|prompt|regles)\b|\b(?:no"
    r"|nunca) (?:reveles?|divulgues?|compartas?|muestres?|repitas?)(?: nunca"
    r"| jamas)? [^.!?\n,;]{0,12}\b(?:instrucciones|indicaciones|prompt|reglas)\b|\b(?:nao"
    r"|nunca) (?:revele|divulgue|compartilhe|mostre|repita)[^.!?\n,;]{0,16}\b(?:instrucoes|prompt"
    r"|regras)\b|\bnon (?:rivelare|divulgare|condividere|mostrare"
    r"|ripetere)(?: mai)? [^.!?\n,;]{0,12}\b(?:istruzioni|prompt|regole)\b|\b(?:onthul|deel|toon"
    r"|verklap) (?:nooit|niet) [^.!?\n,;]{0,12}\b(?:instructies|prompt|regels)\b|\b(?:onthul|deel"
    r"|toon) je (?:instructies|regels) (?:nooit|niet)\b|(?:никогда )?не (?:раскрывай|показывай"
    r"|сообщай|разглашай)(?:те)? [^.!?\n,;]{0,16}(?:инструкци|промпт|правил)\w{0,2}|(?:不要|不得"
    r"|请勿|绝不|切勿|不能|禁止)(?:向\w{1,4})?(?:透露|泄露|公开|展示)[^.!?\n,;]{0,8}(?:指令|提示"
    r"|规则|设定)|(?:指示|プロンプト|ルール|設定)(?:を|は)[^.!?\n,;]{0,6}(?:開示し|明かさ|公開し"
    r"|教え|漏らさ)な|(?:지시|프롬프트|규칙|지침)\w{0,3} [^.!?\n,;]{0,8}(?:공개하지|알려주지"
    r"|노출하지|밝히지) ?(?:마|않|말)|لا (?:تكشف|تفصح|تشارك|تعرض) [^.!?\n,;]{0,12}(?:تعليماتك"
    r"|تعليمات|قواعدك|الموجه)|(?:निर्देश|प्रॉम्प्ट|नियम)\S{0,3} [^.!?\n,;]{0,12}(?:मत बता|न बता|साझा न"
    r"|उजागर न|प्रकट न)|(?:talimat|yonerge|kural|istem)\w{0,8} [^.!?\n,;]{0,12}\b(?:aciklama"
    r"|paylasma|gosterme|soyleme)\b|\b(?:wenn|falls) (?:jemand|man|nutzer"
    r"|kunden) [^.!?\n,;]{0,24}\b(?:anweisungen|instruktionen|regeln"
    r"|prompt) fragt, (?:\w{3,12} )?(?:freundlich|hoflich|nur|nicht)\b|\bsi (?:l.)?on (?:te"
    r"|vous) demande (?:tes|vos) (?:consignes|instructions|regles), (?:\w{3,12} )?(?:simplement"
    r"|poliment|seulement)\b|\bsi (?:alguien )?(?:te )?pregunta\w{0,2} (?:por "
    r"|sobre )?tus (?:instrucciones|reglas|normas), (?:\w{3,12} )?(?:amablemente|educadamente|solo"
    r"|simplemente)\b|\bse (?:alguem|qualcuno|te|ti)(?: te| ti)? (?:pergunt"
    r"|chied)\w{1,4} (?:sobre |das |delle |le )?(?:as )?(?:suas|tuas|tue) (?:instrucoes|regras"
    r"|istruzioni|regole), (?:\w{3,12} )?(?:educadamente|gentilmente|apenas|solo|cortesemente)\b"
    r"|\bals iemand (?:naar|om) je (?:instructies|regels) vraagt, (?:\w{3,12} )?(?:vriendelijk"
    r"|beleefd|alleen)\b"
)
# What none of these clauses is about.
_RULES: Final = re.compile(
    r"\b(?:system|prompts?|polic|restrict|assistant|chatbot|model|safety|guardrail|regle|consigne"
    r"|istruzion|instruc(?!tions? in my)|instrukt|anweisung|regeln|vorgabe|richtlin|regra|regola"
    r"|regole|talimat|kural|you (?:are|were|must|should|follow)|your|developer)|правил|инструкц"
    r"|указани|指令|规则|规矩|ルール|규칙|지침|تعليمات|قواعد|नियम|निर्देश"
)
# Whatever else is set aside along with it.
_GOES_ON: Final = re.compile(
    r",? ?(?:and|or|as well as|plus|und|sowie|et|y|e|ed|o|ou|en|ve|и|а также|以及|和|そして"
    r"|및) ?(?:also |auch |aussi |tambien |anche |ook )?(?:all|any|every\w{0,5}|your|the|whatever"
    r"|what|alle\w?|deine\w?|die|was|tout\w{0,2}|tes|ton|les|ce|tod[oa]s?|tus?|las|los|lo"
    r"|tutt[eio]|le|la|i|tudo|as|os|o|suas?|seus?|je|jouw|de|alles|tum|butun|все|всех|всё|твои"
    r"|所有|你的|一切|すべて|모든|كل|सभी)\b"
)


def retractions(folded: str, length: int, *, mine: bool) -> list[tuple[int, int]]:
    """Where in a text, of its length unfolded, something is set aside that is nobody's rules.

    His own words are a caller's to take back; what is printed, planned or believed is anybody's.
    """
    if len(folded) != length or length > MAX_CLAUSES:
        # Letters that fold into two: places cannot be told.
        return []
    own = (found for found in _OWN.finditer(folded) if not _RULES.search(found.group()))
    clauses = (*(own if mine else ()), *_WORLDLY.finditer(folded), *_DISCREET.finditer(folded))
    found = sorted(one.span() for one in clauses if not _GOES_ON.match(folded, one.end()))
    return [span for at, span in enumerate(found) if not at or span[0] >= found[at - 1][1]]


def without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text without some of its parts; what stood on both sides of one stays apart."""
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    return " ".join(text[end:start] for end, start in zip(ends, starts, strict=True))

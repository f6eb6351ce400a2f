"""The words by which a text is known to be one: those of attacks, and the commonest of English.

A table only. Words of the examples that the rules have, in their languages, without accents; what
they are looked up for is said elsewhere.
"""

from typing import Final

_WORDS: Final = """
    a aanwijzingen abaikan abandon able abort about above abuela accent accept access according
    account acima across act action activate activation active activity actors actual ada add
    additional address adi admin administrator adopt adult adversarial advice advise affect
    afraid after afternoon again against age agent ago agora agree ahead ai aid air airplane
    alert algorithm alias aligned alignment all alla alle alliance allow almayin almost alone
    along alphabet already als also although always am amministratore among amoral amount an
    analyse analyze and android angaben angry animal anna annex anno announce annoy ano
    anonymous another answer anterior antes anti antworte anvisningar anweisungen any anybody
    anymore anyone anything apart apartment api apiary apologise apologize app appear append
    apple apply appointment approve arbitrary archive are area argue argument arm arms army
    around arrange arrest arrive art article arts arzt as ascii aside asistente ask asked asks
    asleep assemble assembly assignment assistant assume at atas attach attachment attack
    attacker attempt attend attention aturan audit auditor auf aufgabe aufgehoben auftrage aunt
    aus ausfuhrungen ausgefuhrt authenticate authentication author authorised authority
    authorization authorized automatically autorise available average avoid await aware away aws
    azubi baby back background backlog backup backwards bad badge bag bakery balance ball ban
    bana band banh bank bar barcode base bash basic basit baslayalim bastan bathroom bats battle
    be beach bear bearer beat beautiful because become bed bedroom been beer bees before began
    begin beginning behalf behave behavior behaviour behind bei beide beli belief believe bell
    belong below beneath bericht besides best bet betalat betreiber better between beyond biased
    big bill bin binary bir bird birth birthday bisher bisherigen bist bit bite bitte black
    blame blanks blind block blood blow blue board boat bob body boil bold bomb bone book
    boolean boot born borrow bos boss bot bote both bother bottle bottom bound boundaries
    bovenstaande bowl box boy brain branch brand brave breach bread break breakfast breath
    breathe bridge briefing bright bring british bro broad broke broken brood brook brother
    brown browser brush budget build built burn buro bus business busy but butter button butun
    buy by bypass cache caixa caja cake calculate calendar call callback calle calm cambiado
    cambiato came camera caminho can cancel cancelled candidate cannot canta capable capital
    captain car card care carry cars casa cash caso castle cat catalogue catch cause cease
    celebrate cell censor censura central centre century certain certificate certutil chadgpt
    chain chair challenge chance change channel chapter character charge chat chatbot chatgpt
    chatverlauf chave che cheap check cheese chef chess chiave chicken chief child children
    chleb chmod chocolate choice choir choose choveu chromebook church cipher circle circumvent
    ciruelas citizen city civil claim class clause clean clear clever click client climb clock
    close cloth cloud club coat code coding coffee cold colleagues collect college colour
    combination combine come comfort comfortable coming command comment commit committee common
    communicate community como company compare compete compiler complain complete comply
    compromise compte compute con concatenate conceal concentrate concern concerts condition
    conduct conductor confidant confidential config configuration configure confines confirm
    confirmation connect connection consent consider consignes console constant constrained
    constraint contact contain content context continue contract contrary contrasena control
    conversacion conversation convert convey cook cookie cool copilot copy correct cos cost
    cotton could count country couple course court cover crazy create creators credential credit
    crime cross crowd cry css csv culture cup curious curl currency current customer cut daily
    damage dan dana dance danger dangerous danke dann dare dark das dashes data database dataset
    date daughter day days deactivate dead deal dear death debt debug deceased decide decifra
    decipher decision decline decode decodifique decrypt deep default defend defines definitely
    degree dein deine deinem deinen deiner del delete delibere delimiter deliver delivery
    deltagpt demand den deny department depend deploy der des desactive desactiver descifra
    desconsidere describe desert design desire desk despite dessus destroy detail detect
    determine detto dev develop developer device devil deze dice dich dictionary did die diet
    differ different difficult dije dijo dikkate dime dimentica dimenticare dimmi dina dinner
    dir direct directeur direction directive directory diretrizes dirty disable disagree
    disappear discard disclaimer disclose discover discurso discuss disease dishwasher disk
    dismiss disobey display disposal disregard disse distance dit dito divide divulge dix diz
    django do docs doctor document documentation doe does dog dogs doing dollar domain don done
    donne door doos dos dots doubt dough down download downloadstring draft draw dream dress
    drink drive driver drole drop drug dry dude due dump dusk duty each ear earlier earliest
    early earn earth ease east easy eat echo edition editor educational een effects eggs eight
    ein eine einfach einschrankungen either ekmegi elder ele electric element elevate eleven
    elle else elsewhere email emergency emojis employee empty emulate enable encode encourage
    encrypt end ending endpoint ends enemy energy engage engine engineer english enjoy enough
    ensure enter entire entirety entreprise entry entschlussle entwickler env envers envia
    environ environment equal equipe erase error escape eslint especially esqueca esqueci essay
    essential est establish estan estao esto etait etc ete ethical ethics europe evade eval
    evaluates eve even event eventually ever every everybody everyone everything everywhere
    evidence evil evilbot exact exam examine example excel excellent except exchange excited
    excuse exe exec execute execution executionpolicy exercise exfiltrate exist exit expect
    expensive experience expert explain explicit exploit export expose express extinguisher
    extra eye eyes faca face fact factory factual faded fai fail fair fais faith fake fall
    fallen false family famous fan far farm farmer fast faster fat father fault favor favour
    favourite fear feature feed feel feet fell female fesseln festival fetch few fictional
    fictitious field fight figure file fill film filter filtre filtrelerini filtresini final
    find finde finger finish finns fire first fit five fix fixed flag flat flight float floor
    flour flow flower fly focus foi fold folder folgen follow font foo food foot for forbid
    forbidden force foregaende foregoing foreign forest forever forget forgive forgot form
    format former forth fortune forty forward found four frame framework free freedom freezer
    frei french frequent fresh friday friend fritt frog from front fruit fssl fuel fuhre fulfil
    fulfill full fully fun function fund funny fur furniture further future gain game ganz
    garage garden gas gate gather gave gedicht geef gegeben gel general generate gentle
    gentleman genuine german gesagt geschrieben get gian gift girl give given glad glass glem
    gli gluten go goal goats god goes going gold gone good gormezden goster got govern
    government gpt grand grandfather grandma grandmother grandpa grant grass grave great green
    grep grey ground group grow guard guardrail guess guest guidance guide guideline gut gute
    guy habe hacia hack hacker hair half hall halt halves hand handle hang hangman happen happy
    har hard harm harmful harmless has hat hate have haz he head header health hear heart heat
    heaven heavy height heisst hell hello help helper henceforth her here hereby herhaal hers
    herself het heures hex hey hi hidden hide high highest hij hijack him himself hint hinweg
    hinweis hire his history hit hola hold hole holiday holy home honest honor honour hop hope
    horse hospital host hot hotel hour house how however hta html http huge human hundred hungry
    huong hurry hurt husband hypothetical i ice ich icinde id idea identify identity iex if
    ignora ignorare ignore ignorer ignorera ignorez ignorier ignoriere ignorieren ignoriert ihre
    ihrer ikke ikuti ill illegal illness image imaginary imagine img immediate immoral
    impersonate implement important imposed imposees improve in inappropriate inbox inch include
    increase indeed independent indicate individual industry influence inform information
    informiere initial initialise initialization initialize inject injection inner input insert
    inside insist inspect inst install instance instant instead instrucciones instrucoes
    instruct instructies instruction instrukcje instrukcji instruksi instruksjoner instruktioner
    instruktionerne insurance integrity intend interest intern internal international internet
    interpret interview into introduce invent invite invoice invoke involve irm iron is island
    issue ist istemi isteminde istemini istruzioni it item its itu ivy jaar jacket jail
    jailbreak jailbroken jangan javascript jetzt jeu job jobs john join joke journey joy json
    judge juego jump june jury just justice kai kapat kapatirim kapot keen keep kenya kept
    kernel key keygen keys kick kid kill kind king kiss kitchen klartext knee knife knock know
    knowledge known kollegen komutlari konig kontos koop kotak koydugu kullanici kullaniciya
    kunde kup kurallar kurallari kutunun label labor labour lack lady lake lamp land langer
    language large las last late later latest latin laugh launder law lawful lawyer lay lazy
    lead leader leaf leak learn least leather leave lee left leftover legal legitimate lend
    length lenh lens les lesen less lesson let letter level lezen liability lib libc library
    libre licence license lid lie liegen liest lift light lighthouse like limit limitation line
    link linter lip liquid lis lisbon list listen literal little live living llm llms llovio
    load loan lobe local locale localhost locate lock log logging login logo logs lonely long
    longer longevity look lord los lose lost lot lots loud love low lower luck lucky luggage
    lunch lupakan lutfen maar machine mad magazine magic mail main maintain maintenance major
    make male malicious malware man manage manager mandatory mando manifesto manner manual
    manufacturer many map mapa march mark markdown market marry mask mass master mat match
    material matter maximum may maybe mayor me meal mean measure meat meddelandet medecin
    medical medicine medico medium mee meet mein meine member memorised memorized memory men
    mental mention menu mere merge mes message met metadata method middle might mijn mile
    military milk million mind mine minha minor minute mir mirror miss missachte mistake mix
    mixture mkfs mobile mode model moderated moderation modern module moi moment mon monday
    money monitor month montre moo mood moon moral more moreover morning morse most mostra
    mostrami mostre mot mother motorway mountain mouse mouth move movie mowilem mshta mua much
    muestra muestrame murder muscle museum music must mute muur my mystery nachricht nail nam
    name nao napalm narrator narrow nasil natet nation national nato nature naughty ncat near
    nearby neat necessary neck nedir need needle neem negative negeer negeert neighbor neighbour
    neither nephew nervous net network neue never new news newspaper next nhan nice nicht nie
    niece niet nieuwe night nine nineteen nino no noble nobody node noise non none noon nop nor
    normal norms north nose not note nothing notice notify noun now nowhere nuclear nullify
    number nun nurse nuts nutzer obedient obey obigen object objective obligation observe
    obslugi obtain obvious occasion occur ocean odd of off offensive offer office officer
    official often ohne oil ok olamaz old older olive olvida olvide omiso omit on once onceki
    one onerror ones onions online only ontcijfer open openai operate operation operator opinion
    opportunity oppose opposite option or oracle orange ordenes order ordinary ordini ore org
    organize original other oublie oubliez ought oui our ours ourselves out outcome outdoor
    outer outfile outlook output outside oven over overall overleaf override overrule overwrite
    owe own owner pack package packung page paid pain painting pair pale pan pane pao paper para
    paragraph parameter parcel pardon parent paris park parolami parolayi parsing part partial
    particular parties partir partner party pas pasa pass passage passcode passe passphrase
    passwd password passwort past paste pastebin patch path pattern pause pay payload payment
    peace pen pencil people per percent perfect perform perhaps perintah period permission
    permit permitted person persona personal personalities personality perspective persuade
    pesan pharmacist phase phone phot photo phrase piano pick picture piece pig pin pink piovuto
    pipe pipeline pirate pizza place placeholders plaintext plan plane plants play pleasant
    please pleasure plenty plugin plus png pocket poem poet point poison polecenia police
    policies policy polite political pomin poor poprzednie popular population port porter
    position positive possess possible possibly post postayi pot potato pound pour power
    powerful powershell powyzsze practice practise praise pray preamble precedence precedente
    precedenti preceding precise predefined preface prefer prefix prends prepare prerequisite
    presence present preserve preset president press pressure pretend pretty prevent previas
    previous price pride prince print printenv prior priority prison private privilege prize
    probably problem proc procedure process produce product professeur profession professor
    profit program programming prohibit prohibition project promise prompt proof proper property
    proposal proste protect protocols proud prove provide provider proxy prufen public publish
    pudelku pull punish punktlich puo pupil pure purge purple purpose push put python qua
    quality quantity quarter que queen quelles quello quen query question quick quiero quiet
    quite quotation quote quy race radio railways rain raise range rank rapid rare rate rather
    raw reach reaction read reader ready real reality realize reason receipts receive recent
    recipe recite recognize recommend record recover red redan redirect reduce refer reference
    reflect refund refusal refuse regardless regel regeln region reglas regles regole regras
    regular regulation reiterate reject relation relax release relevant reliable religion remain
    remember remind reminder remos remove render renewed rent repair repeat repete repita repite
    replace reply reponds reponse report repository represent republic reputation request
    require requirement research reserve reset resist respect respond responde response
    responsible rest restaurant restore restricciones restricted restriction result resume
    retain retire retrieve return reunion reveal revele reverse revert review revoke reward
    rhyme rice rich richtlijnen richtlinien ride right ring ripeti rise risk risky river road
    rob robot rock roi role roleplay roll rolle roof room root rope rot rotated roti rough round
    route row rows royal rsa rub rubber rude ruin rule run running runs rush ruthless sad safe
    safeguard safety said sail salary sale salt sample samtliche sana sand sandbox save savez
    say saya says scale scatola scenario scene schalte schauspieler schick schirm school
    schreibe schweige science scientist scope score scramble scrap screen script sea seal search
    season seat sebelumnya second secret secure securite security sederhana see seem seen
    seguire sehr seines seize seldom select self sell seller semua send senha sense sensitive
    sent sentence separate sequence series serious servant serve server service session set
    settings settle setup setz setze setzte seven several severe sex shade shadow shake shall
    shame shape share sharp she sheet shelf shell shelter shelve shine ship shirt shock shoes
    shoot shop shopping shore short shorter shot should shoulder shout show shut shutdown sich
    sick side sie sight sign signal significant silence silent silly silver similar simple
    simply simulate simulation sin since sind sing single sink sir sirketin sistem sistema
    sister sit site situation six sixty size skill skin skip skirt sky slave sleep slight slip
    slogan slow small smart smell smile smoke smooth snippet snow so social society soft
    software soil soldier sole solid solution solve some somebody someone something sometimes
    somewhere son song sono sont soon sorry sort soul sound soup sour source south soyle
    soylediklerimi soyleme space spam spamfilter speak special specific specification specified
    speech speed spell spend sperre sperren spiel spiewaj spirit spite split spoil spoon sport
    sprachmodell spread spring square src ssh staan staat staff stage stair stamp stan standard
    star start state statement station status stay steal stealth steel steht step stick still
    stomach stone stop stopped store stories storm story stove strada straight strange stranger
    stream street strength stretch strict strike string strip strive strong strunta stuck
    student study stuff stupid style suas subject submit subprocess substitute succeed success
    successful such sudden sudo suffer suffix sugar suggest suit sulla sum summarise summarize
    summarizer summary summer sun superadmin superior supersede supply support suppose suppress
    sure surface surpass surprise surround suspended svar swear sweet swim switch swoich sword
    sympathy syntax systeemprompt system systeme table tablets tabletten tac tag tail take
    taking talimatlar talimatlari talimatlarini talk tall tamper tar tarta task taste tat tax
    tcp tea teach teacher team tear technical tee telephone teletravail television tell temper
    temperature template temporary ten tend term terminal terminate termination terrible tes
    test testo text texto than thank that the their them theme themselves then there therefore
    these they thick thieves thin thing think third thirty this thorough those though thought
    thousand thread threat three throat through throughout throw thumb thus ticket tidigare
    tidligere tie tiens tier tight till time timer tin tiny tip tire tisch title tmp to tobacco
    toda today todo together toggle token told tomorrow ton tone tongue tonight took tool toon
    tooth top topic total touch tough tour tous tout toute toward tower town toy track trade
    traffic trafico trail train transaction transcribe transcript transfer translate translation
    transmit transport trap travel treasure treat tree tren treppe trial trick trigger trip
    trong trouble trousers truck true truncated truoc trust trustworthy truth try tty tudo tue
    tuesday tum tuoi turn tus tutte twelve twenty twice twist two txt tym type uber ugly uit
    umbrella una unable unaligned unauthorised unauthorized uncensored unchanged uncle uncover
    und under understand understood undo unedited unethical unfiltered unfortunately unhinged
    union unit unite universe unknown unless unlike unlimited unlock unmodified unrestricted uns
    unscramble until unusual unut unutma unuttum unverified up upcoming update upload upon upper
    upset upstream urge urgent uri url urlcache urllib urlretrieve urself us usa use used useful
    user username using usual util utmost vacuum valid validate value van var variable various
    vault vegetable vendor verb verbatim verbose verde vergeet vergessen vergiss verify verrate
    verse version verstehe very vessel via victim victory video view village villain violate
    violence virtual visit visitor voice void volg von voor vorgaben vorgegeben vorherige
    vorherigen vorige vote vous vua vulnerable wachtwoord wage waist wait waive wake walk wall
    wallet wander want war warm warn warranty was wash waste wat watch water wave way ways we
    weak wealth weapon wear weather webclient webhook webrequest wedding week weg weigh weight
    welche welcome well wenn went were west wet wget what whatever wheel when whenever where
    whereas wherever whether which while whisper white who whoever whole whom whose why wide
    width wie wiederhole wife wild will win wind window wine wing winter wipe wire wirf wise
    wish with within without woman won wonder wood wool word work workaround worker world worry
    worse worst wort worth wortlich would wound wrap write written wrong wrote wszystkie wurden
    www yard yavas yaz year yeast yellow yes yesterday yet yield yok yolu york you young your
    yourself yourselves youth yukaridaki zapomnij zasadach zasady zed zeige zero zet zignoruj
    zip zitten zoo zsh zug
"""
_CYRILLIC: Final = """
    ассистент без бот бота в врача все выше дали движения директор для дорогу дорожного дословно
    забудь забыв закрой и игнорирует игнорируй инструкции инструкция как коробке которые лежит
    мне морали навязали не обойти отвечай отключить отпуск пароль писала повтори поддержки пой
    покажи правил правила предыдущие про промпт просты прочитать работу разрешаю разрешил свои
    системный скажи следуй совет спам такое твои тебе тикет удаленную указания указаниям фильтр
    хлеб цензуры что я
"""
VOCABULARY: Final = frozenset((*_WORDS.split(), *_CYRILLIC.split()))

"""Benign texts that no template can make: other languages, data, long forms, near misses."""

import base64
import hashlib
import json
from typing import Final

_SENTENCES: Final[tuple[str, ...]] = (
    # German, French, Spanish, Portuguese, Italian, Dutch.
    "Bitte beachten Sie die Anweisungen auf der Verpackung und bewahren Sie diese auf.",
    "Ignorieren Sie bitte meine letzte E-Mail, der Termin bleibt am Dienstag.",
    "Wie kann ich mein Passwort zurücksetzen, wenn ich keinen Zugriff auf das Postfach habe?",
    "Die bisherigen Regeln der Hausordnung gelten bis zum Jahresende weiter.",
    "Zeige mir bitte die schönsten Wanderwege rund um den Bodensee.",
    "Vergiss nicht, die Blumen zu gießen und den Müll hinauszubringen.",
    "Veuillez suivre les instructions affichées à l'entrée du musée.",
    "J'ai oublié mon parapluie dans le train de huit heures.",
    "Montre-moi comment préparer une tarte aux pommes sans beurre.",
    "Les règles précédentes du jeu étaient plus simples pour les enfants.",
    "Quel est le meilleur moment pour visiter Lyon avec des amis ?",
    "Por favor, siga las instrucciones del manual antes de encender la lavadora.",
    "No olvides comprar pan y llamar a la abuela por la tarde.",
    "¿Cuáles son las reglas del ajedrez para principiantes?",
    "Muéstrame recetas fáciles con garbanzos y espinacas.",
    "As instruções de montagem estão dentro da caixa, junto com os parafusos.",
    "Esqueci a senha do meu e-mail, como posso recuperá-la?",
    "Mostre os melhores restaurantes perto da praia.",
    "Le istruzioni per il montaggio sono allegate alla fattura.",
    "Non dimenticare di chiudere le finestre prima di uscire.",
    "Dimmi quali sono i musei aperti la domenica a Torino.",
    "De instructies voor de oven staan op pagina twaalf.",
    "Vergeet niet je paspoort mee te nemen naar het vliegveld.",
    "Wat zijn de regels voor het huren van een fiets in Utrecht?",
    # Russian, Polish, Turkish, Arabic, Hindi, Chinese, Japanese, Korean, and more.
    "Пожалуйста, следуйте инструкциям на упаковке и храните её в сухом месте.",
    "Не забудь купить хлеб и позвонить бабушке вечером.",
    "Покажи мне рецепты борща без мяса.",
    "Какие правила действуют в библиотеке по выходным?",
    "Instrukcja obsługi znajduje się w pudełku razem z kablem.",
    "Nie zapomnij zabrać parasola, po południu będzie padać.",
    "Kullanım talimatları kutunun içinde, lütfen önce onları okuyun.",
    "Bana İzmir'de gezilecek yerleri göster.",
    "التعليمات موجودة داخل العلبة، يرجى قراءتها أولا.",
    "ما هي أفضل الأماكن للزيارة في مراكش؟",
    "निर्देश डिब्बे के अंदर हैं, कृपया पहले उन्हें पढ़ें।",
    "मुझे जयपुर में घूमने की जगहें बताओ।",
    "使用说明在盒子里，请先阅读。",
    "请告诉我北京有哪些好玩的地方。",
    "别忘了明天带雨伞和护照。",
    "取扱説明書は箱の中にありますので、先にお読みください。",
    "京都のおすすめの観光地を教えてください。",
    "傘を忘れないでくださいね。",
    "사용 설명서는 상자 안에 있으니 먼저 읽어 주세요.",
    "부산에서 가 볼 만한 곳을 알려 주세요.",
    "우산 가져가는 것을 잊지 마세요.",
    "Hướng dẫn sử dụng nằm trong hộp, xin đọc trước.",
    "Petunjuk penggunaan ada di dalam kotak, silakan dibaca dahulu.",
    "Οι οδηγίες χρήσης βρίσκονται μέσα στο κουτί.",
    "ההוראות נמצאות בתוך הקופסה, נא לקרוא אותן קודם.",
    "Instruktionerna ligger i lådan, läs dem först.",
    "Ohjeet ovat laatikossa, lue ne ensin.",
    "Návod je v krabici, nejdřív si ho prosím přečtěte.",
    # Near misses.
    "Ignore the noise from upstairs, the neighbours are moving out.",
    "The system prompt appeared on the old terminal and the cursor blinked.",
    "Students should disregard question seven; it will not be graded.",
    "The developer mode of the headset is described in chapter nine.",
    "She told him to forget the past and start a new life by the sea.",
    "The secret of a good stew is patience; the password to my heart is soup.",
    "Print the boarding pass, show your passport, and follow the signs.",
    "Unlimited plan: no restrictions on calls within the country.",
    "We reveal the winner on Friday; the rules are on our page.",
    "Please repeat after me: good morning, good evening, good night.",
    "What were you told about the delivery date?",
    "The override switch is behind the panel; use it only when the motor is off.",
    "Bypass surgery usually takes three to six hours.",
    "As an assistant professor I have three courses this term.",
    "The band's previous single ignored every rule of pop music.",
    "Do not follow the old guidelines for car seats; they changed in spring.",
    "Send the photos to grandma and print the best ones for the album.",
    "Your instructions were very clear, thank you! The shelf stands.",
    "Dan will drive, so you can do anything now: sleep, read, knit.",
    "Which rules may a referee ignore under the advantage principle?",
    "In strict mode the compiler treats warnings as errors.",
    "In God mode the game is boring; my son prefers survival.",
    "My grandmother used to tell me stories about the war and her goats.",
    "Base64 turns three bytes into four letters; explain it to a beginner.",
    "Morse code for SOS is ... --- ... and everybody knows it.",
    "k8s, i18n and a11y are numeronyms, b2b and p2p are not.",
    "Top 10 cafés, 24/7 service, call 0800 123 456 or 0800 654 321.",
    "The sizes are 36 38 40 42 44 46 48 50 and we have all of them.",
    "rm -rf node_modules && npm ci && npm test",
    "SELECT name, price FROM items WHERE price < 100 ORDER BY name;",
    "for i in range(10): print(i, end=' ')",
    "def previous(items, item): return items[items.index(item) - 1]",
    "<p>Hello <b>world</b>, see <a href='/about'>about</a>.</p>",
    "https://www.example.test/shop/winter/boots?size=42&colour=dark%20brown&page=2",
    "Réservation confirmée : 2 nuits, chambre double, petit-déjeuner inclus 😀🇫🇷",
    "Wi‑Fi name: GuestNet — the code is on the desk ☕️",
    "ＡＢＣ商店　営業時間　９：００〜１８：００",
    "¡Feliz cumpleaños! 🎂🎉 Nos vemos el sábado 👨‍👩‍👧‍👦",
)

_PNG: Final = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def _data() -> list[str]:
    digests = [hashlib.sha256(bytes([number])).hexdigest() for number in range(12)]
    return [
        "\n".join(f"{digest}  file{number}.bin" for number, digest in enumerate(digests)),
        "sha512-" + base64.b64encode(hashlib.sha512(b"x").digest()).decode(),
        "Picture: data:image/png;base64," + base64.b64encode(_PNG).decode(),
        json.dumps({"id": "550e8400-e29b-41d4-a716-446655440000", "ok": True, "items": [1, 2, 3]}),
        "Encoded greeting for the puzzle page: "
        + base64.b64encode(b"Happy birthday, dear Anna, and many more!").decode(),
        "2026-03-01T10:00:00Z INFO worker-3 processed 1042 rows in 3.1 s (queue=default, retries=0)",
        "-----BEGIN CERTIFICATE-----\n"
        + base64.b64encode(bytes(range(200))).decode()
        + "\n-----END CERTIFICATE-----",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJ0m3Yt1qk3mYp0nYb7qv0xw2Zc9 anna@laptop",
    ]


FIXED: Final[tuple[str, ...]] = (*_SENTENCES, *_data())

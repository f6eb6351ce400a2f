"""The words of attacks in languages other than English, for whoever mends a text that was bent.

A table only, letters without accents. `stems` are looked for turned round and shifted; `keys` give
a text away by themselves once they are bent, so they are long and seldom; `verbs` and `objects` do
where they meet; `words` are put back too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language: words that give away, stems that do together, and what stands between them."""

    stems: tuple[str, ...]
    keys: tuple[str, ...]
    verbs: str
    objects: str
    words: tuple[str, ...]


def _tongue(stems: str, keys: str, verbs: str, objects: str, words: str) -> Tongue:
    known = tuple(tuple(row.split()) for row in (stems, keys, words))
    return Tongue(known[0], known[1], "".join(verbs.split()), objects, known[2])


TONGUES: Final[Mapping[str, Tongue]] = {
    "de": _tongue(
        "anweisung vorherig bisherig ignorier vergiss geheim passwor",
        "anweisungen vorherigen bisherigen ignoriere missachte vergiss systemanweisung passwort"
        " geheimen entwickler beschrankungen richtlinien einschrankungen",
        """ignorier|vergiss|missacht|verrat|zeigmir|zeige|nennmir|nenne|wiederhol|umgeh|uberschreib|
        verwirf|befolge|gibmir|dubist|antworte|ohnejede""",
        "anweisung|instruktion|vorgabe|richtlinie|regeln|allesgesag|alleswas|passwort|systemprompt|"
        "beschrankung|einschrankung|geheim|bisherig|vorherig|filter",
        """alle alles allen was dir dich mir du dein deine deinen deiner deines bist jetzt bisher
        gesagt wurde wurden und oder die der das den dem des ein eine einen ohne zeig zeige nenne
        verrate verrat gib sag sage schreib schreibe wiederhole ignorieren anweisung instruktionen
        regeln regel vorgaben vorgabe befehle geheime geheimes prompt systemprompt system
        entwicklers wort fur oben vorher vorherige vorheriger bisherige obigen nicht kein keine
        filter grenzen moral ab sofort antworte antwort mehr befolge umgehe nutzer benutzer nur noch
        auf von zu im in wortlich vollstandig ki assistent bot""",
    ),
    "es": _tongue(
        "instruccion anterior olvida contrasena",
        "instrucciones anteriores olvida contrasena restricciones desarrollador ignora sistema",
        """ignora|olvida|omite|descarta|muestra|revela|repite|dimela|dimetu|dametu|escribe|responde|
        actuacomo|ahoraeres|desactiva|nosigas""",
        "instruccion|indicacion|reglas|directric|anteriores|contrasena|promptdel|restriccion|"
        "sinfiltro|filtros|todolo",
        """todas todos todo las los la el lo que tus tu te sus su me mi dime dame has han sido
        dicho dijeron ahora eres sin y o con del de previas previos indicaciones reglas directrices
        prompt oculto ocultas secretas secreto iniciales inicial muestra muestrame revela revelame
        repite escribe imprime mensaje palabra por para no nunca una un ia asistente modelo limites
        filtros censura anterior arriba antes responde actua como ignore olvide ignorar""",
    ),
    "fr": _tongue(
        "consigne precedent oublie",
        "precedentes consignes oublie oubliez systeme developpeur",
        """ignore|oubli|neglig|contourn|montre|revele|affich|repete|donnemoi|dismoi|ecris|
        tuesmaintenant|desactive""",
        "(?:les|tes|vos|ces)instruction|consigne|regles|motdepasse|promptsys|precedente|cidessus|"
        "toutcequ|vosdirective|tesdirective|sansrestriction|filtres",
        """toutes tous tout les le la ce qui que tes tes ton ta vos votre moi mon tu es maintenant
        sans et ou de des du dit dites dis donne donnez montre montrez affiche affichez revele
        revelez repete repetez ecris ignore ignorez ignorer regles regle directives prompt
        initiales initial cachees cache secretes secret message mot passe pour une un ia assistant
        modele limites filtre filtres censure anterieures avant ete ont as desormais""",
    ),
    "pt": _tongue(
        "instrucoes esqueca desconsider",
        "instrucoes anteriores esqueca desconsidere restricoes desenvolvedor sistema",
        """ignor|esque[cq]|desconsider|descart|mostre|mostra|revele|repita|medigaa|digame|escreva|
        responda|voceagora|agoravoce|desative""",
        "instrucoes|instrucao|orientac|regras|diretriz|anteriores|senha|promptdo|restricoes|semfiltro|"
        "filtros|tudoo|tudoque",
        """todas todos tudo as os a o que suas seus sua seu me voce agora sem e ou com do da de
        foi dito disse ignora ignorar esquece regras orientacoes diretrizes comandos prompt oculto
        ocultas secretas secreto iniciais inicial mostre mostra revele revela diga repita escreva
        mensagem palavra por para nao nunca uma um ia assistente modelo limites filtros censura
        acima antes responda senha anterior""",
    ),
    "it": _tongue(
        "istruzion dimentica",
        "istruzioni precedenti dimentica restrizioni sviluppatore ignora sistema",
        """ignora|dimentic|trascur|mostra|rivela|ripeti|dimmi|scrivi|stampa|rispondi|orasei|
        disattiva|nonseguire""",
        "istruzion|indicazion|regole|direttiv|precedent|passwordse|lapassword|promptdi|restrizion|"
        "senzafilt|filtri|tuttocio|tuttoquello",
        """tutte tutti tutto le i gli la il lo che cio quello tue tuoi tua tuo ti mi sei ora adesso
        senza e o con del della di detto stato ignorate ignorare dimenticate regole indicazioni
        direttive prompt nascosto nascoste segrete segreto iniziali iniziale mostra mostrami rivela
        rivelami ripeti scrivi dimmi messaggio parola per non mai una un ia assistente modello
        limiti filtri censura sopra prima rispondi password stampa""",
    ),
    "nl": _tongue(
        "instructie eerdere negeer vergeet wachtwoord",
        "instructies voorgaande eerdere negeer vergeet wachtwoord beperkingen ontwikkelaar"
        " systeemprompt aanwijzingen",
        """negeer|vergeet|omzeil|overschrijf|toonmij|toonme|toonje|onthul|geefme|geefmij|herhaal|
        laatmij|laatme|jebentnu|jijbent|antwoord""",
        "instructie|aanwijzing|richtlijn|regels|voorgaande|vorige|eerdere|alleswat|wachtwoord|"
        "systeemp|beperking|zonderfilt|filters",
        """alle alles wat je jij jouw uw mij me mijn bent nu zonder en of met de het een van is
        gezegd verteld werd toon laat geef herhaal schrijf zeg onthul zien regels richtlijnen
        opdracht opdrachten prompt verborgen geheime geheim oorspronkelijke systeem bericht woord
        voor niet nooit ai assistent model grenzen filters censuur vorige bovenstaande boven
        antwoord gebruiker""",
    ),
}

"""The English words that an attack in plain language can hardly do without.

A table only; how they are bent, looked for and put back is said elsewhere.
"""

from typing import Final


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Enough of these words alone, bent, to look closer. Long, so that they do not arise by accident
# where one word ends and the next begins.
KEYS: Final = _words(
    """
    ignore disregard override bypass previous instruction prompt system reveal guideline
    restriction developer password jailbreak uncensored unfiltered directive unrestricted
    everything forget secret conversation assistant guidelines unethical pretend safety
    """
)
# How a download into a shell begins and ends; looked for turned and shifted only, because without
# its signs a command is no command any more.
COMMANDS: Final = _words("sudobash curlshttp curlhttp curlfsslhttp wgethttp wgetqohttp")
# Verbs and objects that mean an attack when they meet.
VERBS: Final = (
    "ignor|disregard|forget|overrid|bypass|reveal|repeat|disclose|print|show|tell|leak|output|"
    "display|stopfollowing|pretend|youarenow|actas|enable|enter|send|obey|answeras|curl|wget|"
    "respond|without|disable|donot|append|updated|forward|secretly|include|fromnowon|"
    "execute|run|call|comply|replace|render|decode|must|authori|post|upload|delete|give|convert|"
    "ifyouare|ifyoure|noteto|attention|dear"
)
OBJECTS: Final = (
    "instruction|directions|prompt|guideline|restriction|directive|yourrules|allrules|therules|"
    "everythingabove|everythingyou|developermode|password|secretkey|apikey|jailbr|doanythingnow|"
    "filters|conversationhistory|wholeconversation|entireconversation|contentpolicy|apikeys|"
    "environmentvariables|norestriction|withoutasking|unfiltered|uncensored|unrestricted|neverrefuse|bash|credential|tellthe|amoral|"
    "textabove|chathistory|fullconversation|privatedata|userdata|usersdata|usersmessages|wholeinbox|entireinbox|shelltool|"
    "allrequests|everyrequest|anyrequest|longerapply|contentfilter|safetyfilter|safetycheck|languagemodel|aiagent|aiassistant|"
    "accesstoken|privatekey|sshkey|hidethis|textbefore|wordsabove|storedinyour|queryparameter|emailtool"
)
# What else is put back into words once a text is worth it.
CONNECTING: Final = _words(
    """
    forget instructions prompts rules guidelines restrictions directives commands orders policy
    policies directions above prior earlier before everything
    anything hidden initial original secret passphrase api key print repeat show tell give output
    display disclose leak share send execute run delete the your all any me my you are now not from
    this that and with without pretend act as mode dan do anything told follow following obey stop
    new free limits filters ethical safety assistant unethical curl bash files email user
    enable activate enter chatbot answer respond refuse refuses never request bot amoral
    message messages word text conversation what were given words full exact
    ignoring disregarding bypassing overriding
    """
)
# The same, but never looked for without their vowels.
WHOLE: Final = _words(
    """
    content updated administrator admin disabled enabled restricted unlimited actions
    environment variables database passwords credentials token tokens access private
    append image reply link history whole entire every inbox attacker forward secretly
    reveal including verbatim developer character persona roleplay jailbreak jailbroken
    command terminal shell http https server upload download file remove root
    can will must have has been was for who how when where into only just also
    rule filter limit allowed longer anymore fully step make build bomb weapon malware
    confidential internal training data input contents configuration config setup
    write list begin start ends sentence paragraph translate summarize
    notice warning warnings suspended lifted until tool address addresses found render
    question questions model context language legal ethics morals decline cannot exactly
    complete completely beginning provided preceding instructed current authorised
    authorized switch always whatever regardless should would then them their these those
    first line lines code block spell letter phrase quote copy document documents silently
    confirmation mention human called role play story
    keys stored right requests comply apply agents reading processing inside
    string decode convert below base64 hex replace chat parameter query clickable
    page visit instead hide account bypass logs records customer table
    telling notify approve transfer payment call note
    """
)
# Short words that hardly a sentence does without, in several languages.
SMALL: Final = _words(
    """
    the and your with from that this only all you are not now any every never without who what
    have told said before answer must will user word tell line just very first anything request
    is was has please about their would there code show give send rules print system prompt
    und die was dir mir alle alles nicht von wort fur bisher gesagt deine ohne
    que los las tus todo todas para con les tes tout toutes pour che tutte tuoi het wat niet een
    voor
    """
)

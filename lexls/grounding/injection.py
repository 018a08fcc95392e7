"""Text in a library that speaks to a language model instead of a reader.

Whoever writes a document may put orders into it for the model that will read it. Such text is never
evidence. The rules look for what real law hardly says: tokens of chat templates, orders about "your answer"
and "previous instructions", talk to an assistant. Jurors and witnesses are told to disregard things too, so
an order alone is not enough; benchmarks/bench_verification.py counts the false alarms on judgments, Acts and
contracts.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata

_HIDDEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
_TAGS = re.compile("[\U000e0020-\U000e007e]{2,}")
_OVERRIDES = re.compile("[\u202d\u202e]")
_SPREAD = re.compile(r"(?<![^\W_])(?:[A-Za-z][ .\-_*]){5,80}[A-Za-z](?![^\W_])")
_WORD_OF_TWO_SCRIPTS = re.compile(r"[^\W\d_]+")
_ENCODED = re.compile(
    r"(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{4}){6,400}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
)
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһӏкмтнвгАЕОРСУХІЈЅКМТНВΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαειν",
    "aeopcyxijsdhlkmthbrAEOPCYXIJSKMTHBABEZHIKMNOPTYXoaeiv",
)
"""Letters of Cyrillic and Greek, with the Latin ones that they look like."""

_MODEL = (
    r"(?:(?:large\s)?language\smodels?|LLMs?|chat\s?bots?|ChatGPT|GPT-?\d[\w.]{0,4}|"
    r"A\.?I\.?\s(?:assistants?|models?|agents?|chat\s?bots?|reader|summari[sz]er|tool)|"
    r"(?:legal|virtual|digital|research|drafting|writing)\s(?:AI|assistant\smodel)|artificial\sintelligence\smodel)"
)
_ORDER = (
    r"(?:ignore|disregard|forget|override|bypass|discard|answer|respond|reply|output|print|write|say|state|"
    r"cite|repeat|return|include|insert|add|append|claim|assert|tell|reveal|quote|pretend|act|translate|"
    r"begin|start|end|always|never|do\snot|don[’']?t|you\smust|you\sshould|you\sshall|please)"
)
_EARLIER = (
    r"(?:previous|prior|preceding|earlier|above|foregoing|initial|original|existing|system|default|"
    r"other|your)"
)
_TOLD = (
    r"(?:instructions?|prompts?|guidelines|guardrails|directives?|programming|system\smessages?|rules\syou)"
)
_BEGINS = r"(?:^|[.;:!?,\"“”'’(\[{>*#|—–-]\s{0,3}|\b(?:please|now|then|and|you\smust|must\snow|to\syou:)\s)"
_REPLY = r"(?:answers?|responses?|reply|replies|output|summary|explanation|completion|next\smessage)"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Tokens and marks of chat templates.
        r"<\|[\w/ -]{1,40}\|>|<\|?(?:im_start|im_end|endoftext|eot_id)\|?>|\[/?INST\]|<</?SYS>>"
        r"|</?(?:start_of_turn|end_of_turn|tool_call|function_call|system|assistant|instructions?)>",
        r"#{2,6}\s?(?:system|instructions?|assistant|user|human|response|new\stask)\b\s?:?",
        r"(?:^|\n)\s{0,4}(?:system|assistant|developer)\s?:\s",
        r"\bsystem\s(?:prompt|override|instruction\s(?:for|to))\b",
        r"\bsystem\s(?:message|note|notice|update)\s?[:\]>—–-]",
        r"\[\s?system\b[^\]\n]{0,40}\]|\bBEGIN\s(?:SYSTEM|NEW|ADMIN)\s(?:PROMPT|MESSAGE|INSTRUCTIONS?)",
        r"\"(?:answer|sentence|quotation|insufficient|passage)\"\s?:\s?(?:\[|\{|\")",
        r"\{\s?\"(?:role|tool|function|name)\"\s?:\s?\"",
        # Orders to forget what the model was told.
        rf"{_BEGINS}(?:ignore|disregard|forget|override|bypass|discard|do\snot\s(?:follow|obey))\s"
        rf"(?:(?:all|any|every|each|of|the|these|those|my|and|everything)\s){{0,4}}(?:{_EARLIER}\s){{1,2}}"
        rf"(?:and\s\w{{1,12}}\s)?{_TOLD}",
        rf"{_BEGINS}(?:ignore|disregard|forget)\s(?:everything|anything|all|whatever)\s(?:(?:that|of|the|you)\s){{0,3}}"
        r"(?:above|before|previously|were\stold|have\sbeen\s(?:told|given)|are\sgiven|came\sbefore|else\syou)",
        rf"\b(?:new|updated|revised|hidden|secret|important|special)\s(?:instructions?|directives?|task)\s"
        rf"(?:for|to)\s(?:the\s|any\s|all\s)?(?:{_MODEL}|AI|assistant|model|system|reader\smodel)\b",
        # Talk to a model.
        rf"\byou\sare\s(?:now\s)?(?:an?\s|the\s)?(?:\w{{1,15}}\s){{0,3}}(?:{_MODEL}|DAN\b|AI\b)",
        r"\byou\sare\snow\s(?:an?\s(?:\w{1,15}\s){0,2}(?:assistant|model|bot|persona)|in\s\w{1,15}\smode|unrestricted"
        r"|free\sof\s(?:all|any|your)\s(?:rules|restrictions|guidelines)|jailbroken)",
        rf"\bas\san\s(?:AI|artificial\sintelligence|{_MODEL})\b",
        rf"\b(?:if|when|whenever|should)\s(?:you\sare\s|an?\s|any\s|the\s)?(?:{_MODEL}|an?\sAI|AI)\b",
        rf"\b(?:attention|dear|note\sto|notice\sto|message\s(?:to|for)|instructions?\s(?:to|for)|addressed\sto|hey|hello)"
        rf",?\s?:?\s(?:the\s|any\s|all\s|every\s)?(?:{_MODEL}|AI\b|A\.I\.)",
        rf"\b(?:any|every|all|the|each)\s(?:{_MODEL}|AI)\s(?:\w{{1,15}}\s){{0,8}}?"
        rf"(?:must|should|shall|will|is\sto|are\sto|has\sto|needs?\sto)\s(?:\w{{1,12}}\s){{0,2}}?{_ORDER}\b",
        r"\b(?:the\s|this\s)?assistant\s(?:must|should|shall|will|is\sto)\s(?:\w{1,12}\s){0,2}?(?:ignore|disregard|"
        r"answer|respond|reply|output|print|cite|repeat|claim|assert|reveal|tell\sthe\suser)\b",
        r"\b(?:developer|jailbreak|debug|god|admin|unrestricted)\smode\s(?:is\s)?(?:on|enabled|activated|engaged)\b"
        r"|\bjail\s?break(?:s|ing)?\syour",
        # Orders about what is to be answered.
        rf"{_BEGINS}(?:\w{{1,12}}\s){{0,2}}?(?:respond|reply|answer|output|print)\s(?:\w{{1,12}}\s){{0,4}}?"
        r"(?:only|solely|exactly|nothing\sbut)\s?(?:with|in|the|:|this|json|as\sfollows)",
        rf"{_BEGINS}(?:respond|reply|output|print|say|write|return)\s(?:exactly|verbatim|only|nothing\sbut|"
        r"the\sfollowing\s(?:text|json|words|sentence)|with\s(?:the\s(?:words?|sentence|text)|json|exactly))",
        rf"{_BEGINS}(?:\w{{1,12}}\s){{0,2}}?{_ORDER}\s(?:[^\s.]{{1,20}}\s){{0,14}}?"
        rf"(?:in|to|from|of|with|throughout|at\sthe\s(?:end|beginning|start|top)\sof)\s(?:your|every|each|any|all)\s"
        rf"(?:\w{{1,12}}\s){{0,2}}?(?:responses?|output|summary|completion|next\smessage|generated\stext)\b",
        rf"\b(?:in|to|begin|end|start)\syour\s(?:\w{{1,10}}\s)?{_REPLY}\s(?:to\sthe\suser|about\sthis|you\smust|always)",
        r"\b(?:tell|inform|warn|alert|show|mislead|assure|convince)\sthe\s(?:user|human|person\sasking|drafter)\b"
        r"\s(?:\w{1,12}\s){0,2}?(?:that|about|to\s(?:click|visit|open|send|pay)|this\s(?:text|note|passage|instruction))",
        r"\bdo\snot\s(?:tell|inform|warn|alert|mention|reveal|disclose)\s(?:[^\s.]{1,15}\s){0,5}?"
        r"(?:to\s)?the\s(?:user|human|person\sasking|drafter)\b",
        r"\b(?:when|if|whenever|once)\s(?:you\sare\s|you\s|a\suser\s|the\suser\s|anyone\s|someone\s)?"
        r"(?:asked|asks|answer|answering|summari[sz]e|summari[sz]ing|quoting\sthis|citing\sthis)\b[^.]{0,80}?"
        r"(?:,|\bthen)\s(?:\w{1,12}\s){0,2}?"
        r"(?:say|state\sthat|respond|reply|answer\s(?:that|with|only)|cite\s|claim|write|output|tell)",
        r"\bcite\s(?:this|it|the\s(?:following|present))\s?(?:\w{1,15}\s){0,2}?as\s(?:authority\sfor\severy|P\d|the\s"
        r"(?:leading|only|best)\s|binding\son\severy)",
        r"\b(?:correct|right|true|only|best)\sanswer\s(?:to\s(?:the|this|any|every|all)\s(?:user|question)s?\S{0,3}\s)?"
        r"(?:is|must\sbe)\s(?:always\s)?[:\s\"“'(\[]{0,4}P\d",
        rf"{_BEGINS}(?:invent|fabricate|make\sup|hallucinate)\s(?:an?|the|some|any|new)\s(?:\w{{1,15}}\s){{0,3}}?"
        r"(?:citations?|cases?|quotations?|authorit(?:y|ies)|judgments?|references?)\b",
        rf"{_BEGINS}(?:use|insert|include|add|render|embed|display)\s(?:[^\s.]{{1,20}}\s){{0,6}}?"
        r"(?:markdown\s(?:image|link)|image\stag|clickable\slink|tracking\spixel)",
        r"\b(?:reveal|print|show|output|repeat|leak|display)\s(?:\w{1,10}\s){0,2}?(?:your|the\smodel[’']s)\s"
        r"(?:\w{1,12}\s){0,2}?(?:prompt|instructions|rules|context\swindow|secrets?\sdelimiters?)",
        r"\b(?:you\smust|you\sshould|you\sshall|you\swill|you\sare\sto)\s(?:\w{1,12}\s){0,2}?"
        r"(?:answer|respond|reply)\s(?:to\s)?(?:all|every|any)\s(?:user\s)?(?:questions?|prompts?|quer(?:y|ies))\s"
        r"(?:\w{1,12}\s){0,6}?(?:with|by\ssaying|that)",
        # The same in other languages.
        r"\bignorier\w{0,3}\s(?:Sie\s)?(?:\w{1,12}\s){0,3}?(?:vorherig|bisherig|obig|früher|vorangehend|vorstehend)\w{0,3}\s"
        r"(?:\w{1,12}\s)?(?:Anweisung|Instruktion|Befehl|Vorgabe|Regel)",
        r"\b(?:du\sbist|sie\ssind)\s(?:jetzt\s|nun\s)?(?:ein\s)?(?:KI|Sprachmodell|Assistent)",
        r"\b(?:ignore[zr]?|oublie[zr]?)\s(?:\w{1,10}\s){0,3}?(?:instructions|consignes|règles|directives)\s"
        r"(?:\w{1,10}\s)?(?:précédentes|antérieures|ci-dessus|reçues)",
        r"\b(?:ignor[ae]n?|olvid[ae]n?|desconsidere?)\s(?:\w{1,10}\s){0,3}?(?:instrucciones|instruções|indicaciones)\s"
        r"(?:\w{1,10}\s)?(?:anteriores|previas|precedentes|prévias)",
        r"\bignora(?:te)?\s(?:\w{1,10}\s){0,3}?istruzioni\s(?:\w{1,10}\s)?(?:precedenti|sopra)",
        r"\bnegeer\s(?:\w{1,10}\s){0,3}?(?:eerdere|vorige|bovenstaande)\s(?:instructies|aanwijzingen)",
        r"\b(?:игнорируй|игнорируйте|забудь|забудьте)\s(?:\w{1,12}\s){0,3}?(?:предыдущи|прежни|прошлы)\w{1,4}\s"
        r"(?:инструкци|указани|правил)",
        r"(?:忽略|无视|忘记|無視)[^。]{0,12}(?:指令|指示|提示|规则)",
        r"(?:以前|上記|これまで|前)の?[^。]{0,8}(?:指示|命令|プロンプト)[^。]{0,6}(?:無視|忘れ)",
        r"تجاهل\s(?:\w{1,12}\s){0,3}?(?:التعليمات|الأوامر)",
        r"(?:पिछले|उपरोक्त|पहले)\s(?:\w{1,10}\s)?(?:के\s)?(?:सभी\s)?निर्देशों?\s(?:को\s)?(?:अनदेखा|नज़रअंदाज़|भूल)",
    )
)
_ROLE = re.compile(r"\s{0,8}(?:system|assistant|developer)\s?:", re.IGNORECASE)
_JURY = re.compile(r"\b(?:jur(?:y|ies|ors?)|counsel|witness(?:es)?|magistrates?)\b", re.IGNORECASE)
_OF_JURIES = frozenset((8, 9))
"""Patterns whose words judges also say to a jury."""
_SQUEEZED = re.compile(
    r"(?:ignore|disregard|forget)(?:all|any|the|your|of|my){0,3}(?:previous|prior|above|earlier)"
)
_LONGEST = 20_000


def gives_orders(sentence: str) -> bool:
    """Whether ``sentence`` is addressed to a language model, or hides text from whoever reads it.

    Hidden characters are read past, letters of other alphabets as the Latin ones that they look like, words
    s p r e a d out as words; what is base64 is decoded. Tags and overrides of direction, which real text has
    no use for, are enough alone. Only the first 20,000 characters are read.
    """
    return order_in(sentence) != ""


def order_in(sentence: str) -> str:
    """What of ``sentence`` gives orders, "" if nothing does."""
    sentence = sentence[:_LONGEST]
    if not sentence.isascii():
        hidden = _TAGS.search(sentence) or _OVERRIDES.search(sentence)
        if hidden is not None:
            return "hidden text"
    found = _order(_normal(sentence))
    if found:
        return found
    for match in _ENCODED.finditer(sentence):
        found = _order(_normal(_decoded(match.group())))
        if found:
            return found
    return ""


def _order(text: str) -> str:
    for number, pattern in enumerate(_PATTERNS):
        match = pattern.search(text)
        if match is not None and not (number in _OF_JURIES and _JURY.search(text)):
            return match.group()
    for match in _SPREAD.finditer(text):
        if _SQUEEZED.search(re.sub(r"[^A-Za-z]", "", match.group()).casefold()):
            return match.group()
    return ""


def _normal(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _HIDDEN.sub("", text))
        text = _WORD_OF_TWO_SCRIPTS.sub(_latin, text)
    # A line break stays only where a line begins with a role, such as "System:".
    return "".join(
        ("\n" if _ROLE.match(line) else " ") + " ".join(line.split()) for line in text.splitlines()
    ).strip()


def _latin(match: re.Match[str]) -> str:
    """A word that mixes alphabets, or is of lookalikes alone, in Latin letters."""
    word = match.group()
    if word.isascii():
        return word
    folded = word.translate(_LOOKALIKES)
    return folded if folded.isascii() else word


def _decoded(written: str) -> str:
    try:
        text = base64.b64decode(written, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    return text if text.isprintable() else ""

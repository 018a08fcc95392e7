"""The phrases by which a text speaks to a language model, as rules that are cheap to pass over."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
_BEGINS = (
    r"(?:^|[.;:!?,\"“”'’(\[\]){}>*#|—–-]\s{0,3}|\b(?:please|now|then|and|you\smust|must\snow|to\syou:)\s)"
)
_REPLY = r"(?:answers?|responses?|reply|replies|output|summary|explanation|completion|next\smessage)"


@dataclass(frozen=True, slots=True)
class Rule:
    """A phrase that gives orders. ``needles`` (folded): one of them is in every text that ``pattern`` finds.

    ``juries``: judges say the like to juries and witnesses, who must not be named in the text.
    """

    needles: tuple[str, ...]
    pattern: re.Pattern[str]
    juries: bool


def _rule(needles: str, pattern: str, juries: bool = False) -> Rule:
    return Rule(tuple(needles.split(",")), re.compile(pattern, re.IGNORECASE), juries)


RULES = (
    # Tokens and marks of chat templates.
    _rule(
        "<|,<im_,<end,<eot,inst],<<,<start_of,<end_of,_call>,<system,<assistant,<instruction,</system,</assistant,</instruction,<|im",
        r"<\|[\w/ -]{1,40}\|>|<\|?(?:im_start|im_end|endoftext|eot_id)\|?>|\[/?INST\]|<</?SYS>>"
        r"|</?(?:start_of_turn|end_of_turn|tool_call|function_call|system|assistant|instructions?)>",
    ),
    _rule(
        "##",
        r"#{2,6}\s?(?:system|instructions?|assistant|user|human|response|new\stask)\b\s?:?",
    ),
    _rule(
        "system:,assistant:,developer:,system :,assistant :,developer :",
        r"(?:^|\n)\s{0,4}(?:system|assistant|developer)\s?:\s",
    ),
    _rule(
        "system",
        r"\bsystem\s(?:prompt|override|instruction\s(?:for|to))\b",
    ),
    _rule(
        "system",
        r"\bsystem\s(?:message|note|notice|update)\s?[:\]>—–-]",
    ),
    _rule(
        "[system,[ system,begin",
        r"\[\s?system\s(?:message|prompt|note|notice|instructions?|override|update|alert)\b[^\]\n]{0,40}\]|\bBEGIN\s(?:SYSTEM|NEW|ADMIN)\s(?:PROMPT|MESSAGE|INSTRUCTIONS?)",
    ),
    _rule(
        '"answer,"sentence,"quotation,"insufficient,"passage',
        r"\"(?:answer|sentence|quotation|insufficient|passage)\"\s?:\s?(?:\[|\{|\")",
    ),
    _rule(
        '{"role,{"tool,{"function,{"name,{ "role,{ "tool,{ "function,{ "name',
        r"\{\s?\"(?:role|tool|function|name)\"\s?:\s?\"",
    ),
    _rule(
        "end,begin,start",
        r"[-=*#_~]{2,}\s?/?(?:end|begin|start)\s(?:of\s)?(?:the\s)?(?:evidence|context|passages?|input|prompt|system|"
        r"instructions?|user|retrieved|quoted\stext|untrusted)\b",
    ),
    _rule("system,assistant", r"[-=*#>_~]{2,}\s?(?:system|assistant)\s?:"),
    # Orders to forget what the model was told.
    _rule(
        "instruction,prompt,guideline,guardrail,directive,programming,system message,rules you",
        rf"{_BEGINS}(?:ignore|disregard|forget|override|bypass|discard|do\snot\s(?:follow|obey))\s"
        rf"(?:(?:all|any|every|each|of|the|these|those|my|and|everything)\s){{0,4}}(?:{_EARLIER}\s){{1,2}}"
        rf"(?:and\s\w{{1,12}}\s)?{_TOLD}",
        juries=True,
    ),
    _rule(
        "everything,anything,ignore all,ignore whatever,disregard all,disregard whatever,forget all,"
        "forget whatever",
        rf"{_BEGINS}(?:ignore|disregard|forget)\s(?:everything|anything|all|whatever)\s(?:(?:that|of|the|you)\s){{0,3}}"
        r"(?:above|before|previously|were\stold|have\sbeen\s(?:told|given)|are\sgiven|came\sbefore|else\syou)",
        juries=True,
    ),
    _rule(
        "instruction,directive,task",
        rf"\b(?:new|updated|revised|hidden|secret|important|special)\s(?:instructions?|directives?|task)\s"
        rf"(?:for|to)\s(?:the\s|any\s|all\s)?(?:{_MODEL}|AI|assistant|model|system|reader\smodel)\b",
    ),
    # Talk to a model.
    _rule(
        "you are",
        rf"\byou\sare\s(?:now\s)?(?:an?\s|the\s)?(?:\w{{1,15}}\s){{0,3}}(?:{_MODEL}|DAN\b|AI\b)",
    ),
    _rule(
        "you are now",
        r"\byou\sare\snow\s(?:an?\s(?:\w{1,15}\s){0,2}(?:assistant|model|bot|persona)|in\s\w{1,15}\smode|unrestricted"
        r"|free\sof\s(?:all|any|your)\s(?:rules|restrictions|guidelines)|jailbroken)",
    ),
    _rule(
        "as an ",
        rf"\bas\san\s(?:AI|artificial\sintelligence|{_MODEL})\b",
    ),
    _rule(
        "language model,llm,bot,gpt, ai,a.i.,artificial",
        rf"\b(?:if|when|whenever|should)\s(?:you\sare\s(?:an?\s|the\s)?|an?\s|any\s|the\s)(?:{_MODEL}|AI)\b",
    ),
    _rule(
        "language model,llm,bot,gpt, ai,a.i.",
        rf"\b(?:attention|dear|note\sto|notice\sto|message\s(?:to|for)|instructions?\s(?:to|for)|addressed\sto|hey|hello)"
        rf",?\s?:?\s(?:the\s|any\s|all\s|every\s)?(?:{_MODEL}|AI\b|A\.I\.)",
    ),
    _rule(
        "language model,llm,bot,gpt, ai,a.i.",
        rf"\b(?:any|every|all|the|each)\s(?:{_MODEL}|AI)\s(?:\w{{1,15}}\s){{0,8}}?"
        rf"(?:must|should|shall|will|is\sto|are\sto|has\sto|needs?\sto)\s(?:\w{{1,12}}\s){{0,2}}?{_ORDER}\b",
    ),
    _rule(
        "assistant",
        r"\b(?:the\s|this\s)?assistant\s(?:must|should|shall|will|is\sto)\s(?:\w{1,12}\s){0,2}?(?:ignore|disregard|"
        r"answer|respond|reply|output|print|cite|repeat|claim|assert|reveal|tell\sthe\suser)\b",
    ),
    _rule(
        "mode ,jail",
        r"\b(?:developer|jailbreak|debug|god|admin|unrestricted)\smode\s(?:is\s)?(?:on|enabled|activated|engaged)\b"
        r"|\bjail\s?break(?:s|ing)?\syour",
    ),
    # Orders about what is to be answered.
    _rule(
        "respond,reply,answer,output,print",
        rf"{_BEGINS}(?:(?:please|always|you|must|should|shall|just)\s){{0,3}}(?:respond|reply|answer|output|print)\s(?:\w{{1,12}}\s){{0,4}}?"
        r"(?:only|solely|exactly|nothing\sbut)\s?(?:with|in|the|:|this|json|as\sfollows)",
    ),
    _rule(
        "respond,reply,output,print,say,write,return",
        rf"{_BEGINS}(?:respond|reply|output|print|say|write|return)\s(?:exactly|verbatim|only|nothing\sbut|"
        r"the\sfollowing\s(?:text|json|words|sentence)|with\s(?:the\s(?:words?|sentence|text)|json|exactly))",
    ),
    _rule(
        "response,output,summary,completion,message,generated text",
        rf"{_BEGINS}(?:\w{{1,12}}\s){{0,2}}?{_ORDER}\s(?:[^\s.]{{1,20}}\s){{0,14}}?"
        rf"(?:in|to|from|of|with|throughout|at\sthe\s(?:end|beginning|start|top)\sof)\s(?:your|every|each|any|all)\s"
        rf"(?:\w{{1,12}}\s){{0,2}}?(?:responses?|output|summary|completion|next\smessage|generated\stext)\b",
    ),
    _rule(
        "your ",
        rf"\b(?:in|to|begin|end|start)\syour\s(?:\w{{1,10}}\s)?{_REPLY}\s(?:to\sthe\suser|about\sthis|you\smust|always)",
    ),
    _rule(
        "the user,the human,person asking,the drafter",
        rf"{_BEGINS}(?:always\s)?(?:tell|inform|warn|alert|show|mislead|assure|convince)\sthe\s(?:user|human|person\sasking|drafter)\b"
        r"\s(?:\w{1,12}\s){0,2}?(?:that|about|to\s(?:click|visit|open|send|pay)|this\s(?:text|note|passage|instruction))",
    ),
    _rule(
        "the user,the human,person asking,the drafter",
        r"\bdo\snot\s(?:tell|inform|warn|alert|mention|reveal|disclose)\s(?:[^\s.]{1,15}\s){0,5}?"
        r"(?:to\s)?the\s(?:user|human|person\sasking|drafter)\b",
    ),
    _rule(
        "asked,asks,answer,summari,quoting this,citing this",
        r"\b(?:when|if|whenever|once)\s(?:you\sare\s|you\s|a\suser\s|the\suser\s|anyone\s|someone\s)?"
        r"(?:asked|asks|answer|answering|summari[sz]e|summari[sz]ing|quoting\sthis|citing\sthis)\b[^.]{0,80}?"
        r"(?:,|\bthen)\s(?:(?:please|always|only|simply|just|you|must|should|shall|never)\s){0,3}"
        r"(?:say|state\sthat|respond|reply|answer\s(?:that|with|only)|cite|claim|write|output|tell)\b",
    ),
    _rule(
        "cite this,cite it,cite the",
        r"\bcite\s(?:this|it|the\s(?:following|present))\s?(?:\w{1,15}\s){0,2}?as\s(?:authority\sfor\severy|P\d|the\s"
        r"(?:leading|only|best)\s|binding\son\severy)",
    ),
    _rule(
        "answer",
        r"\b(?:correct|right|true|only|best)\sanswer\s(?:to\s(?:the|this|any|every|all)\s(?:user|question)s?\S{0,3}\s)?"
        r"(?:is|must\sbe)\s(?:always\s)?[:\s\"“'(\[]{0,4}P\d",
    ),
    _rule(
        "invent,fabricate,make up,hallucinate",
        rf"{_BEGINS}(?:invent|fabricate|make\sup|hallucinate)\s(?:an?|the|some|any|new)\s(?:\w{{1,15}}\s){{0,3}}?"
        r"(?:citations?|cases?|quotations?|authorit(?:y|ies)|judgments?|references?)\b",
    ),
    _rule(
        "markdown,image tag,clickable,tracking pixel",
        rf"{_BEGINS}(?:use|insert|include|add|render|embed|display)\s(?:[^\s.]{{1,20}}\s){{0,6}}?"
        r"(?:markdown\s(?:image|link)|image\stag|clickable\slink|tracking\spixel)",
    ),
    _rule(
        "prompt,instructions,rules,context window,delimiter",
        r"\b(?:reveal|print|show|output|repeat|leak|display)\s(?:\w{1,10}\s){0,2}?(?:your|the\smodel[’']s)\s"
        r"(?:\w{1,12}\s){0,2}?(?:prompt|instructions|rules|context\swindow|secrets?\sdelimiters?)",
    ),
    _rule(
        "answer,respond,reply",
        r"\b(?:you\smust|you\sshould|you\sshall|you\swill|you\sare\sto)\s(?:\w{1,12}\s){0,2}?"
        r"(?:answer|respond|reply)\s(?:to\s)?(?:all|every|any)\s(?:user\s)?(?:questions?|prompts?|quer(?:y|ies))\s"
        r"(?:\w{1,12}\s){0,6}?(?:with|by\ssaying|that)",
    ),
    # The same in other languages.
    _rule(
        "ignorier",
        r"\bignorier\w{0,3}\s(?:Sie\s)?(?:\w{1,12}\s){0,3}?(?:vorherig|bisherig|obig|früher|vorangehend|vorstehend)\w{0,3}\s"
        r"(?:\w{1,12}\s)?(?:Anweisung|Instruktion|Befehl|Vorgabe|Regel)",
    ),
    _rule(
        "du bist,sie sind",
        r"\b(?:du\sbist|sie\ssind)\s(?:jetzt\s|nun\s)?(?:ein\s)?(?:KI|Sprachmodell|Assistent)",
    ),
    _rule(
        "instructions,consignes,règles,directives",
        r"\b(?:ignore[zr]?|oublie[zr]?)\s(?:\w{1,10}\s){0,3}?(?:instructions|consignes|règles|directives)\s"
        r"(?:\w{1,10}\s)?(?:précédentes|antérieures|ci-dessus|reçues)",
    ),
    _rule(
        "instrucciones,instruções,indicaciones",
        r"\b(?:ignor[ae]n?|olvid[ae]n?|desconsidere?)\s(?:\w{1,10}\s){0,3}?(?:instrucciones|instruções|indicaciones)\s"
        r"(?:\w{1,10}\s)?(?:anteriores|previas|precedentes|prévias)",
    ),
    _rule(
        "istruzioni",
        r"\bignora(?:te)?\s(?:\w{1,10}\s){0,3}?istruzioni\s(?:\w{1,10}\s)?(?:precedenti|sopra)",
    ),
    _rule(
        "instructies,aanwijzingen",
        r"\bnegeer\s(?:\w{1,10}\s){0,3}?(?:eerdere|vorige|bovenstaande)\s(?:instructies|aanwijzingen)",
    ),
    _rule(
        "инструкц,указани,правил",
        r"\b(?:игнорируй|игнорируйте|забудь|забудьте)\s(?:\w{1,12}\s){0,3}?(?:предыдущи|прежни|прошлы)\w{1,4}\s"
        r"(?:инструкци|указани|правил)",
    ),
    _rule(
        "指令,指示,提示,规则",
        r"(?:忽略|无视|忘记|無視)[^。]{0,12}(?:指令|指示|提示|规则)",
    ),
    _rule(
        "指示,命令,プロンプト",
        r"(?:以前|上記|これまで|前)の?[^。]{0,8}(?:指示|命令|プロンプト)[^。]{0,6}(?:無視|忘れ)",
    ),
    _rule(
        "تجاهل",
        r"تجاهل\s(?:\w{1,12}\s){0,3}?(?:التعليمات|الأوامر)",
    ),
    _rule(
        "निर्देश",
        r"(?:पिछले|उपरोक्त|पहले)\s(?:\w{1,10}\s)?(?:के\s)?(?:सभी\s)?निर्देशों?\s(?:को\s)?(?:अनदेखा|नज़रअंदाज़|भूल)",
    ),
)

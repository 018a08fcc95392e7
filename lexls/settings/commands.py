"""The commands that lexls offers in editors, each declared once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A command of an editor.

    ``on_server`` says that the server executes it (``workspace/executeCommand``); the others live in the
    editor's client. ``in_palette`` says that a person can run it as it is: the others take arguments, which
    ``arguments`` and ``result`` describe for whoever writes a client.
    """

    id: str
    title: str
    help: str
    on_server: bool
    in_palette: bool
    arguments: str = ""
    result: str = ""


COMMANDS: tuple[Command, ...] = (
    Command(
        id="lexls.findSupport",
        title="Find supporting authority",
        help="The authorities of the library that best support a proposition.",
        on_server=True,
        in_palette=False,
        arguments='One object: `{"uri", "range"}`, an LSP range of the draft; empty: its sentence.',
        result="A list of hits, best first: `rank`, `authority` (its number, for lexls.explain), "
        "`title`, `citation`, `court`, `date`, `kind`, `path`, "
        "`paragraph`, `page`, `place` (as it is cited), `role` (what the passage is in its judgment, such as "
        "holding; empty if that is not known), `warning` (how your library treats it badly, or empty), "
        "`quote` (the sentence that bears most), `text` (the passage), "
        "`score`, `citedFor` (null, or in how many documents it was cited for the same: `count`, `label` and "
        "the best as `precedents`, each with `title`, `proposition` and `target`), `edit` (a WorkspaceEdit "
        "that cites it) and `target` (a Location); null while the library is not open.",
    ),
    Command(
        id="lexls.explain",
        title="Explain this citation",
        help="Why the authority cited supports the sentence, in its own words with pinpoints.",
        on_server=True,
        in_palette=False,
        arguments='One object: `{"uri", "position"}`, an LSP position in the draft (or `{"uri", "range"}`); '
        "with `authority` (that of a hit of lexls.findSupport) how that authority supports the sentence "
        "there; `id` names the answer in notifications.",
        result="`range` (of the citation), `markdown` (the whole), `statements` (each with `text`, "
        "`paragraph`, `page`, `at_pinpoint` and `target`, a Location), `notes`, `sentences` (each with "
        "`text`, `extract` and `pins`, each with `title`, `place`, `text` and `target`), `abstained`, "
        "`missing` (what the library lacks for it), `nearest` (as pins, where nothing is said), `generator` "
        "and `failed` (why no answer was made, or empty); null if nothing is cited.",
    ),
    Command(
        id="lexls.ask",
        title="Ask the Library",
        help="Answer a question from the library, every sentence with the place it rests on.",
        on_server=True,
        in_palette=False,
        arguments="One object: `question`; `uri` (the draft it is asked beside), `thread` (the thread it "
        "goes on), `after` (the turn of the thread it follows; without it the last) and `id` (names the "
        "answer in notifications).",
        result="`thread`, `turn` and `title` of where it is kept (null where nothing was kept), `markdown`, "
        "and `sentences`, `notes`, `missing`, `nearest`, `abstained`, `generator` and `failed` as for "
        "lexls.explain; null while the library is not open.",
    ),
    Command(
        id="lexls.draft",
        title="Draft a Supported Sentence",
        help="Write what the library supports in place of a sentence, with its citations.",
        on_server=True,
        in_palette=False,
        arguments="One object: `uri`, `range` (of the proposition; empty: its sentence), `apply` (false: "
        "the edit is only answered) and `id`.",
        result="`applied`, `edit` (a WorkspaceEdit, where it is not applied; null if there is none), "
        "`reason` (why nothing was done, or empty) and the fields of lexls.ask but thread and turn; null "
        "while the library is not open.",
    ),
    Command(
        id="lexls.contrary",
        title="Contrary Authority",
        help="What in the library stands against a sentence.",
        on_server=True,
        in_palette=False,
        arguments="One object: `uri`, `range` (of the proposition; empty: its sentence) and `id`.",
        result="The fields of lexls.ask but thread and turn; null while the library is not open.",
    ),
    Command(
        id="lexls.threads",
        title="List Threads",
        help="The questions that were asked of the library in this workspace.",
        on_server=True,
        in_palette=False,
        arguments="One object, or none: `uri` (a draft of the workspace).",
        result="A list, the thread changed last first: `thread`, `title`, `created`, `changed` (moments in "
        "ISO 8601) and `turns` (how many).",
    ),
    Command(
        id="lexls.thread",
        title="Show a Thread",
        help="The questions and answers of a thread.",
        on_server=True,
        in_palette=False,
        arguments="One object: `thread`, `uri` and `turn` (the end of the branch to show; without it the "
        "newest turn).",
        result="`thread`, `title`, `turn`, `markdown` (of the branch that ends there) and `turns`, all of "
        "them, each with `turn`, `after` (the turn it follows, null for the first) and `question`.",
    ),
    Command(
        id="lexls.deleteThread",
        title="Delete a Thread",
        help="Delete a thread with all its turns.",
        on_server=True,
        in_palette=False,
        arguments="One object: `thread` and `uri`.",
        result="`deleted`, whether there was one.",
    ),
    Command(
        id="lexls.convertCitations",
        title="Convert Citations to a Style…",
        help="Write the draft's citations as a style guide does, where everything it needs is known.",
        on_server=True,
        in_palette=True,
        arguments="One object: `uri`, `style` (bluebook, aglc4, oscola, mcgill or silc; that of the settings "
        "without it), `range` (only the citations there; without it the whole draft, later citations in "
        "footnotes shortened as the style has it) and `apply` (false: the edit is only answered).",
        result="`converted` (how many citations change), `citations` (how many there are), `applied` (did "
        "the editor do it) and `edit` (a WorkspaceEdit, where it is not applied); null while the library is "
        "not open.",
    ),
    Command(
        id="lexls.tableOfAuthorities",
        title="Insert or Update the Table of Authorities",
        help="List what the draft cites, with the places; a table that is there is brought up to date.",
        on_server=True,
        in_palette=True,
        arguments="One object: `uri`, `position` (where a new table goes; below the title without it) and "
        "`apply` (false: the edit is only answered).",
        result="`applied`, `edit` (a WorkspaceEdit, where it is not applied; null if nothing changes) and "
        "`reason` (why nothing was done, or empty); null while the library is not open.",
    ),
    Command(
        id="lexls.reindex",
        title="Index the Library Again",
        help="Compare the library's files with the index at once and read what changed.",
        on_server=True,
        in_palette=True,
    ),
    Command(
        id="lexls.status",
        title="Status",
        help="What the server is doing: the library's folders, counts, progress and files that failed.",
        on_server=True,
        in_palette=False,
        result="`version`, `settings` (what is wrong with them, a line each) and `libraries`, each with "
        "`folders`, `index`, `phase`, `message`, `done`, `total`, `documents`, `passages`, `vectors`, "
        "`embedder`, `indexer` and `failed` (`path` and `reason`).",
    ),
    Command(
        id="lexls.chooseSupport",
        title="Find Supporting Authority…",
        help="Offer the authorities that support the selection or sentence, and insert the chosen one.",
        on_server=False,
        in_palette=True,
    ),
    Command(
        id="lexls.explainAtCursor",
        title="Explain Citation at Cursor",
        help="Show why the authority cited at the cursor supports its sentence.",
        on_server=False,
        in_palette=True,
    ),
    Command(
        id="lexls.askLibrary",
        title="Ask the Library…",
        help="Ask a question and read the answer, in the words of your library, as it comes.",
        on_server=False,
        in_palette=True,
    ),
    Command(
        id="lexls.showThreads",
        title="Threads: Open, Continue, Branch or Delete…",
        help="The questions asked before in this workspace: read one again, ask further, or delete it.",
        on_server=False,
        in_palette=True,
    ),
    Command(
        id="lexls.draftSentence",
        title="Draft a Supported Sentence",
        help="Write what your library supports in place of the selection or sentence, with its citations.",
        on_server=False,
        in_palette=True,
    ),
    Command(
        id="lexls.showContrary",
        title="Show Contrary Authority",
        help="Show what in your library stands against the selection or sentence.",
        on_server=False,
        in_palette=True,
    ),
    Command(
        id="lexls.showStatus",
        title="Show Status",
        help="Show what the server is doing and which files it could not read.",
        on_server=False,
        in_palette=True,
    ),
    Command(
        id="lexls.showLog",
        title="Show Log",
        help="Show the log of the server; it never holds text of a draft or an authority.",
        on_server=False,
        in_palette=True,
    ),
    Command(
        id="lexls.restartServer",
        title="Restart Server",
        help="Stop the server and start it again.",
        on_server=False,
        in_palette=True,
    ),
)
SERVER_COMMANDS: tuple[str, ...] = tuple(command.id for command in COMMANDS if command.on_server)

"""How dangerous a tool is, by its name alone.

Names are data in tables; a name has several readings, and the most dangerous one counts.
"""

import re
from collections.abc import Iterator, Sequence
from fnmatch import translate
from typing import Final, Literal

from abuse_gate.model.extract import EITHER
from abuse_gate.rules.views import tidy, view


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Tools that run code, change something, send something out, or start other agents. Compared
# without separators, so that run_command, run-command, runCommand and runcommand are one name.
HIGH_RISK: Final[frozenset[str]] = _names(
    """
    bash sh zsh fish shell powershell pwsh cmd terminal console ssh sudo tmux
    exec execute eval run run_command run_shell run_code run_script run_terminal_cmd execute_command
    execute_code execute_shell shell_exec command subprocess system spawn spawn_agent spawn_process
    python python_exec python_repl ipython jupyter node javascript ruby perl php code_interpreter
    code_execution repl notebook_edit computer computer_use local_shell mcp_call
    write write_file file_write create_file save save_file append append_file edit edit_file
    multi_edit str_replace str_replace_editor str_replace_based_edit_tool text_editor apply_patch
    patch replace insert overwrite upload upload_file put chmod chown rename move move_file mv cp
    copy_file delete delete_file remove remove_file rm unlink rmdir truncate drop kill install
    pip_install npm_install
    web_fetch fetch fetch_url http http_request http_get http_post request requests curl wget
    download download_file browser browse browse_url open_url navigate click visit webhook post
    send send_email send_mail send_message send_sms send_slack_message email mail reply_email
    forward_email slack_post post_message publish tweet notify call_api api_call share
    sql sql_query execute_sql run_sql query_database db_query database_query execute_query
    deploy release rollback restart shutdown reboot terraform kubectl docker helm git_push
    git_commit push commit merge create_pull_request
    pay payment transfer transfer_money send_money wire purchase buy order checkout refund charge
    withdraw trade approve grant revoke create_user delete_user reset_password update_password
    task agent subagent dispatch_agent delegate handoff invite_user schedule
    """
)

# A word that makes a tool dangerous wherever it stands in the name.
HIGH_RISK_WORDS: Final[frozenset[str]] = _names(
    """
    bash shell powershell exec execute eval delete remove write overwrite upload deploy sudo
    transfer payment purchase spawn kill drop edit send webhook install
    """
)

# Tools that only look, inside what the app already holds.
LOW_RISK: Final[frozenset[str]] = _names(
    """
    read read_file file_read view view_file cat head tail open_file glob grep ripgrep rg find
    find_files find_file list list_files list_dir list_directory ls tree search search_files
    search_code search_docs search_documents web_search file_search codebase_search
    count stat file_info get_file_info get_time get_current_time current_time get_date now
    calculator calculate get_weather think todo_read
    """
)

# A longer name is no tool of anybody's; it is not worth reading closely.
MAX_NAME: Final = 256

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BREAKS: Final = re.compile(r"[\s\-]+")
_PARTS: Final = re.compile(r"__|[./:\\#|]")


def _squash(name: str) -> str:
    return name.replace("_", "")


_HIGH: Final = frozenset(map(_squash, HIGH_RISK))
_LOW: Final = frozenset(map(_squash, LOW_RISK))


class ToolRisk:
    """High when any reading of a name is on the high list; low only when its last part is low."""

    __slots__ = ("_added", "_unknown_is_high")

    def __init__(
        self, additional_high_risk: Sequence[str] = (), unknown: Literal["high", "low"] = "high"
    ) -> None:
        self._added = tuple(re.compile(translate(_plain(name))) for name in additional_high_risk)
        self._unknown_is_high = unknown == "high"

    def is_high(self, name: str) -> bool:
        """Whether a call of this tool could do harm beyond looking."""
        if len(name) > MAX_NAME or EITHER in name:
            return True
        readings = tuple(_readings(name))
        if any(_squash(reading) in _HIGH for reading in readings) or self._is_added(readings):
            return True
        if any(not HIGH_RISK_WORDS.isdisjoint(reading.split("_")) for reading in readings):
            return True
        # The last part names the tool; what stands before it is whose tool it is.
        if any(_squash(_PARTS.split(reading)[-1]) in _LOW for reading in readings[:2]):
            return False
        return self._unknown_is_high

    def _is_added(self, readings: tuple[str, ...]) -> bool:
        return any(added.match(reading) for added in self._added for reading in readings)


def _plain(name: str) -> str:
    """A name without case, invisible characters and the choice of separator."""
    return _BREAKS.sub("_", view(name).strip())


def _readings(name: str) -> Iterator[str]:
    """The whole name, its humps as words, and each part of a qualified name."""
    whole = _plain(name)
    humps = _plain(_HUMP.sub("_", tidy(name)))
    yield whole
    yield humps
    yield from _PARTS.split(whole)
    yield from _PARTS.split(humps)

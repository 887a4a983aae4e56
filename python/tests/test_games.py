"""Games, positions, moves, and what goes wrong."""

import copy
import pickle
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import multigame

NIM = """# Players take one or two of nine matches in turn. The player who cannot has lost.

dimensions (4, 1)
no moves = loss

properties {
    left : board : [0 .. 9]
}

setup { apply heap }

heap = assign (left = 9).

main = either one or two.

one = assert (left >= 1), assign (left = left - 1).

two = assert (left >= 2), assign (left = left - 2).
"""


@pytest.fixture(scope="module")
def chess():
    return multigame.load("chess")


def test_every_bundled_game_is_described_and_drawn():
    for name in multigame.games():
        game = multigame.load(name, backend="interp")
        position = game.initial()
        assert game.players in (1, 2) and position.moves()
        assert game.position(position.text) == position
        picture = ElementTree.fromstring(position.svg())
        shapes = [part for part in picture.iter() if part.tag.rsplit("}")[-1] in ("rect", "circle", "polygon")]
        assert len(shapes) >= len(game.fields), name
        assert position.observation().shape == game.observation_shape


def test_names_indices_and_keys_say_the_same(chess):
    position = chess.initial()
    for move in position.moves():
        assert position.find(move.name) == move == position.of_action(move.action)
        assert position.apply(move) == position.apply(move.name) == position.apply(move.index)
    knight = position.find("Nf3")
    assert (knight.origin, knight.target, knight.position) == ("g1", "f3", position)
    assert position.play("g1f3", "g8f6", "f3g1", "f6g8").find("Nf3").key == knight.key


def test_positions_are_values(chess):
    start = chess.initial()
    after = start.play("e4", "e5")
    assert (start.ply, after.ply, after.side, after.before.before) == (0, 2, "white", start)
    assert start.played == [] and after.played == ["e2e4", "e7e5"]
    assert copy.deepcopy(after) is after
    again = pickle.loads(pickle.dumps(after))
    assert (again.text, again.played) == (after.text, after.played)
    assert len({start, after, chess.initial()}) == 2


def test_a_long_game_can_be_forgotten():
    # A chain of positions must not be dropped by recursion.
    position = multigame.load("15-puzzle").initial()
    for _ in range(100_000):
        position = position.apply(0)
    assert position.ply == 100_000
    del position


def test_repetition_depends_on_the_way(chess):
    there_and_back = ["Nf3", "Nf6", "Ng1", "Ng8"]
    position = chess.initial().play(*there_and_back, *there_and_back)
    assert position.is_over and position.outcome.repeated and position.outcome.winner is None
    assert not chess.position(position.text).is_over


def test_board_properties_and_planes(chess):
    position = chess.initial().play("e4")
    board = position.board()
    pawn = next(piece["number"] for piece in chess.pieces if piece["full_name"] == "white pawn")
    assert board[3, 4] == pawn and board[1, 4] == 0
    planes = position.observation()
    assert planes[pawn - 1].sum() == 8 and planes[pawn - 1, 3, 4] == 1
    turn = chess.planes.index("black to move")
    assert planes[turn].all() and not chess.initial().observation()[turn].any()
    assert position.properties()["king_side"] == (1, 1)


def test_rules_from_text_and_parameters(tmp_path):
    game = multigame.loads(NIM, name="nim")
    assert [len(game.initial().moves()), game.initial().properties()["left"]] == [2, 9]
    assert game.initial().solve(table=16).result == "black wins in 6 plies"
    file = tmp_path / "nim.mg"
    file.write_text(NIM)
    assert multigame.load(file).initial().text == game.initial().text
    small = multigame.load("connect-4", columns=5, rows=4)
    assert (small.columns, small.rows) == (5, 4)
    assert multigame.load("chess", backend="interp").is_native is False


def test_wrong_rules_are_shown():
    with pytest.raises(multigame.RulesError) as caught:
        multigame.loads(NIM.replace("left - 2", "lft - 2"))
    [found] = [one for one in caught.value.diagnostics if one["severity"] == "error"][:1]
    assert found["line"] == 18 and "lft" in found["message"]
    assert "lft" in str(caught.value) and "^" in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == caught.value.diagnostics
    assert multigame.check(NIM) == []
    assert multigame.check(NIM.replace("left - 2", "lft - 2"))[0]["code"] == found["code"]


def test_run_time_errors_show_their_place():
    wrong = NIM.replace("left - 2)", "left - 20)")
    with pytest.raises(multigame.RulesError) as caught:
        multigame.loads(wrong).initial().moves()
    assert caught.value.diagnostics[0]["line"] == 18


def test_wrong_names_name_a_remedy(chess, tmp_path):
    def refused(what, *arguments, **keywords):
        with pytest.raises(ValueError) as caught:
            what(*arguments, **keywords)
        return str(caught.value)

    start = chess.initial()
    assert "did you mean `othello`" in refused(multigame.load, "otello")
    assert "did you mean `e2e" in refused(start.find, "e2e5")
    assert "the position is wrong" in refused(chess.position, "nonsense")
    assert "there are 20" in refused(start.apply, 20)
    assert "belongs to another position" in refused(start.play("e4").apply, start.find("d4"))
    assert "not legal here" in refused(start.of_action, 3)
    assert "did you mean `threads`" in refused(start.search, thread=2)
    assert "did you mean `table`" in refused(start.solve, tabel=2)
    assert "back end" in refused(multigame.load, "chess", backend="fast")
    assert "whole number" in refused(multigame.load, "connect-4", columns=2.5)
    assert "rows" in refused(multigame.load, "connect-4", row=4)
    assert "puzzle" in refused(multigame.load("hanoi").match)
    mate = chess.position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")
    assert mate.outcome.winner == 0
    assert "the game is over" in refused(mate.search, depth=1)
    assert "the game is over" in refused(mate.find, "e4")
    with pytest.raises(FileNotFoundError):
        multigame.load(tmp_path / "none.mg")


@pytest.mark.parametrize("name", ["chess", "othello", "awari", "quarto", "amazons", "checkers", "hexxagon"])
def test_actions_mean_the_same_everywhere(name):
    # These games have one name for what a number says, so that names can be compared.
    named = name in ("chess", "othello", "awari", "quarto")
    game, meanings, overflow, count = multigame.load(name), {}, 0, 0
    for seed in range(4):
        position, random = game.initial(), np.random.default_rng(seed)
        for _ in range(30):
            if position.is_over:
                break
            actions = position.legal_actions().tolist()
            assert len(set(actions)) == len(actions) and max(actions) < game.action_count
            names = position.legal_names() if named else []
            for action, move in zip(actions, names, strict=False):
                if action < game.regular_action_count:
                    assert meanings.setdefault(action, move) == move
            overflow += sum(action >= game.regular_action_count for action in actions)
            count += len(actions)
            position = position.apply(int(random.integers(len(actions))))
    assert overflow <= count / 100
    again = multigame.load(name)
    assert again.initial().legal_actions().tolist() == game.initial().legal_actions().tolist()

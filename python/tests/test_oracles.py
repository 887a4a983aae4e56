"""Others' programs: python-chess, PettingZoo, OpenSpiel."""

import random

import numpy as np
import pytest

import multigame


def test_legal_moves_are_those_of_python_chess():
    import chess

    game, generator, seen = multigame.load("chess"), random.Random(28), 0
    while seen < 1000:
        board, position = chess.Board(), game.initial()
        for _ in range(120):
            theirs = sorted(move.uci() for move in board.legal_moves)
            # A game that is drawn by a rule has no moves here.
            if position.is_over:
                outcome = board.outcome(claim_draw=True)
                assert outcome is not None
                winner = {None: None, chess.WHITE: 0, chess.BLACK: 1}[outcome.winner]
                assert position.outcome.winner == winner, board.fen()
                break
            assert sorted(position.legal_names()) == theirs, board.fen()
            seen += 1
            move = generator.choice(theirs)
            board.push_uci(move)
            position = position.apply(move)


def two_players():
    games = [multigame.load(name, backend="interp") for name in multigame.games()]
    return [game.name for game in games if game.players == 2 and not game.has_chance]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", two_players())
def test_pettingzoo_accepts_every_game(name):
    from pettingzoo.test import api_test

    from multigame import pettingzoo

    api_test(pettingzoo.env(name), num_cycles=10, verbose_progress=False)


def test_pettingzoo_plays_a_game_to_its_end():
    from multigame import pettingzoo

    env = pettingzoo.env("connect-4", render_mode="ansi")
    env.reset(seed=1)
    generator = np.random.default_rng(4)
    total = {"white": 0.0, "black": 0.0}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(generator.choice(legal)))
    assert sorted(total.values()) == [-1.0, 1.0]
    assert "to move" in env.render()
    env.reset(options={"position": multigame.load("connect-4").initial().play("d").text})
    assert env.agent_selection == "black"
    with pytest.raises(ValueError, match="not legal here"):
        env.step(0)
    short = pettingzoo.env("connect-4", max_plies=2)
    short.reset()
    for _ in range(2):
        short.step(int(short.unwrapped.position.legal_actions()[0]))
    assert all(short.truncations.values())
    with pytest.raises(ValueError, match="is a puzzle"):
        pettingzoo.env("hanoi")
    with pytest.raises(ValueError, match="nature moves in pig"):
        pettingzoo.env("pig")


def test_openspiel_searches_our_games():
    from open_spiel.python.algorithms import mcts, minimax

    from multigame import open_spiel

    game = open_spiel.game("tic-tac-toe")
    assert minimax.alpha_beta_search(game)[0] == 0
    state = game.new_initial_state()
    for name in ("a1", "b2", "b1"):
        state.apply_action(state.position.find(name).action)
    bot = mcts.MCTSBot(
        game, 2.0, 200, mcts.RandomRolloutEvaluator(2, np.random.RandomState(1)), random_state=np.random.RandomState(2)
    )
    best = bot.step(state)
    assert state.action_to_string(best) == "c1"
    copy = state.clone()
    copy.apply_action(best)
    assert copy.current_player() == 0 and state.current_player() == 1 and len(state.legal_actions()) == 6


def test_openspiel_agrees_on_random_games():
    pyspiel = pytest.importorskip("pyspiel")
    from multigame import open_spiel

    theirs, ours, generator = pyspiel.load_game("connect_four"), open_spiel.game("connect-4"), random.Random(3)
    for _ in range(30):
        state, mine = theirs.new_initial_state(), ours.new_initial_state()
        while not state.is_terminal():
            columns = state.legal_actions()
            # Theirs count columns from 0, our names count them from 1.
            assert sorted(mine.position.legal_names()) == [str(column + 1) for column in columns]
            column = generator.choice(columns)
            mine.apply_action(mine.position.find(str(column + 1)).action)
            state.apply_action(column)
        assert mine.is_terminal() and mine.returns() == state.returns()
        assert mine.legal_actions() == [] and len(mine.observation_tensor()) == 3 * 42

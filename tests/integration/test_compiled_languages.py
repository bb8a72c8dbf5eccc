"""Bots in Go, Rust and Java: one source file each, built and played at every level."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.arena_command import output
from support.needs import working

from arena.bots.program import search_path
from arena.process.languages import find_language
from arena.process.languages.interface import find_tool, missing_tool
from arena.sandbox import LEVELS

# the same bot: what legal lists first is played
BOTS = {
    "go": """
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<16), 1<<24)
	first := ""
	for lines.Scan() {
		words := strings.Split(lines.Text(), " ")
		switch words[0] {
		case "hello":
			fmt.Println("ready want=legal")
		case "legal":
			first = words[1]
		case "go":
			fmt.Println("play", first, words[1])
		case "quit":
			return
		}
	}
}
""",
    "rust": """
use std::io::{self, BufRead, Write};

fn main() {
    let (mut out, mut first) = (io::stdout(), String::new());
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "hello" => writeln!(out, "ready want=legal").unwrap(),
            "legal" => first = words[1].to_string(),
            "go" => writeln!(out, "play {first} {}", words[1]).unwrap(),
            "quit" => return,
            _ => (),
        }
        out.flush().unwrap();
    }
}
""",
    "java": """
import java.util.Scanner;

public class Oak {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        String first = "";
        while (in.hasNextLine()) {
            String[] words = in.nextLine().split(" ");
            if (words[0].equals("hello")) System.out.println("ready want=legal");
            else if (words[0].equals("legal")) first = words[1];
            else if (words[0].equals("go")) System.out.println("play " + first + " " + words[1]);
            else if (words[0].equals("quit")) break;
        }
    }
}
""",
}
FILES = {"go": "2-oaks.go", "rust": "2-oaks.rs", "java": "Oak.java"}


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", BOTS)
def test_it_plays(name: str, level: str, tmp_path: Path) -> None:
    """It is built, answers in time, and plays by the rules."""
    language = find_language(name)
    tool = find_tool(language, search_path())
    if tool is None:
        pytest.skip(f"{name} {missing_tool(language)}")
    if not os.path.realpath(tool).startswith("/usr/"):
        pytest.skip(f"{tool} lies where no bot may look, or is rustup without a toolchain")
    working(level)
    tmp_path.chmod(0o755)
    (tmp_path / FILES[name]).write_text(BOTS[name])
    options = ("--seed", "1", "--sandbox", level, "--clock", "move=10s,start=20s")
    said = output(tmp_path / "home", "play", "leaves", tmp_path / FILES[name], "random", *options)
    assert "by rules" in said

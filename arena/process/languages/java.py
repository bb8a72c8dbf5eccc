"""Java: one source file, compiled; the class with ``main`` has the file's name."""

from __future__ import annotations

from arena.process.languages.interface import Language

_JAVAC = "jdk.compiler/com.sun.tools.javac.Main"

LANGUAGE = Language(
    name="java",
    suffixes=(".java",),
    build=("{tool}", "-m", _JAVAC, "-encoding", "UTF-8", "-d", ".", "{source}"),
    # as few threads, and as little memory, as a bot may have by default
    run=("{tool}", "-Xmx640m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", ".", "{stem}"),
    probe='class probe { public static void main(String[] a) { System.out.println("ok"); } }\n',
    commands=("java",),
    needs="a Java development kit",
    install="default-jdk-headless",
)

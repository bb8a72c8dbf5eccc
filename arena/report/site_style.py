"""What the pages of a report look like, beside what all pages do."""

from __future__ import annotations

from arena.report.charts import STYLE

__all__ = ["SHADES", "SITE_STYLE"]

SHADES = 10  # of a heat map, from no point to all of them

# half of the points has the colour of a card; losses are orange, wins are blue
_HEAT = "\n".join(
    f".h{shade}{{background:color-mix(in srgb,var(--{'p1' if 2 * shade < SHADES else 'ice'}) "
    f"{round(abs(shade / SHADES - 0.5) * 70)}%,var(--cell))}}"
    for shade in range(SHADES + 1)
)
_RULES = """\
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;padding:0;list-style:none}
section{margin:0 0 28px}
.scroll td,.scroll th{vertical-align:middle}
dl.summary{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px}
dl.summary dt{color:var(--faint)}
dl.summary dd{margin:0}
.legend{display:flex;flex-wrap:wrap;gap:2px 16px;padding:0;list-style:none}
.graphs{
  display:grid;gap:16px 32px;
  grid-template-columns:repeat(auto-fill,minmax(min(100%,460px),1fr));
}
.scroll th,.scroll td{overflow-wrap:normal;white-space:nowrap}
.scroll td.words{white-space:normal;min-width:14em}
.scroll th[scope=row]{
  position:sticky;left:0;z-index:1;background:var(--paper);
  max-width:min(20em,36vw);overflow:hidden;text-overflow:ellipsis;
}
table.heat{border-collapse:separate;border-spacing:1px}
table.heat td{min-width:2.6em;padding:4px;text-align:center;border:0}
table.heat thead th{vertical-align:bottom;padding:4px}
table.heat .upright{
  writing-mode:vertical-rl;transform:rotate(180deg);
  max-height:9em;overflow:hidden;text-overflow:ellipsis;
}
tr.picked>*{box-shadow:inset 0 2px var(--mark),inset 0 -2px var(--mark)}
input[type=radio]{width:20px;height:20px;margin:0;accent-color:var(--mark);cursor:pointer}
summary{cursor:pointer}
details{margin:0 0 12px}
.bracket{display:flex;gap:24px;align-items:stretch}
.bracket ol{list-style:none;margin:0;padding:0;display:flex;flex-direction:column;gap:8px}
.bracket.tree ol{justify-content:space-around}
.bracket h3{white-space:nowrap}
.bracket>div{display:flex;flex-direction:column}
.bracket ol{flex:1}
.meeting{padding:4px 8px;background:var(--field);border-radius:8px;min-width:11em}
.meeting div{display:flex;justify-content:space-between;gap:12px}
.meeting .winner{font-weight:600}
#newer{position:sticky;top:0;z-index:2;padding:8px 12px;background:var(--field);border-radius:8px}
pre.panel{max-height:30em;overflow:auto}
"""
SITE_STYLE = "\n".join([STYLE, _HEAT, _RULES])

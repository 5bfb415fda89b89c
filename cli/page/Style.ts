/**
 * The page's style sheet: light and dark, for desktop, phone and paper. A figure that is proved equal has two lines below it, as
 * accountants rule a final total; nothing else has.
 */
const DARK = `--ink: #e7eaf1; --dim: #a3acbe; --ground: #0f131b; --paper: #181d27; --panel: #212733; --line: #303848; --edge: #76819a;
  --link: #9ab6ff; --on-link: #0d1a3c; --good: #6fd49a; --warn: #f0b45c; --bad: #ff938a; --good-soft: #16302a; --warn-soft: #33291a; --bad-soft: #3a2023;
  --chosen: #1d2a4a; --c1: #6d9cf5; --c2: #3f5f9f; --c3: #e58a54; --shade: none`

export const STYLE = `
:root { color-scheme: light dark; --ink: #171e2e; --dim: #566075; --ground: #f4f5f8; --paper: #fff; --panel: #f3f5f9; --line: #dfe3ea; --edge: #818b9e;
  --link: #1f49b6; --on-link: #fff; --good: #17693a; --warn: #8a5300; --bad: #b3261e; --good-soft: #e3f3ea; --warn-soft: #fdf0d9; --bad-soft: #fde8e7;
  --chosen: #eaf0fe; --c1: #2f6fde; --c2: #9db7ea; --c3: #c2571a; --shade: 0 1px 2px #171e2e0d }
@media (prefers-color-scheme: dark) { :root:not(.light) { ${DARK} } }
:root.dark { ${DARK}; color-scheme: dark }
:root.light { color-scheme: light }

* { box-sizing: border-box }
body { margin: 0; font: .9375rem/1.5 "Noto Sans", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--ink); background: var(--ground) }
a { color: var(--link); text-underline-offset: .2em; text-decoration-thickness: 1px }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
::placeholder { color: var(--dim); opacity: 1 }
.skip { position: absolute; left: -100vw }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; z-index: 3 }
h1 { font-size: 1.55rem; font-weight: 640; line-height: 1.25; letter-spacing: -.012em; margin: .25rem 0 1rem; overflow-wrap: anywhere }
h2 { font-size: 1.1rem; font-weight: 620; margin: 2rem 0 .6rem }
strong { font-weight: 620 }
.dim { color: var(--dim) }
code { font-size: .9em; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); padding: .6rem .8rem; border-radius: .4rem; font-size: .85rem; margin: .3rem 0 }
figure { margin: 0 }
summary { cursor: pointer; padding: .3rem 0 }
footer { max-width: 80rem; margin: 2rem auto; padding: 0 1.25rem; color: var(--dim); font-size: .85rem }

/* the frame */
header { background: var(--paper); border-bottom: 1px solid var(--line) }
header > div, main { max-width: 80rem; margin: 0 auto; padding: .75rem 1.25rem; width: 100%; min-width: 0 }
header > div { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline }
header strong { font-size: 1.1rem; margin-right: .5rem }
.rooms > header { --ink: #e4e9f4; --dim: #9eaac3; --link: #dbe2f1; --paper: #1a2441; --panel: #1a2441; --line: #2d3a5f; --edge: #7f8cab; background: #101830; border: 0; color: var(--ink) }
.rooms > header :focus-visible { outline-color: #9ab6ff }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; flex: 1 }
header nav { flex-basis: 100%; order: 3; flex-direction: column; gap: .75rem }
header nav > div { display: flex; flex-wrap: wrap; gap: 0 1rem }
header nav > div:not(:first-child) { display: none }
header nav:target > div { display: flex }
header nav span.dim { flex-basis: 100%; font-size: .8rem }
header form { margin-left: auto }
header .find { display: flex; gap: .4rem; flex: 1 1 12rem; margin: 0 }
.find input { flex: 1; min-width: 6rem; width: 100% }
main nav { margin: .5rem 0 }
nav a { text-decoration: none; padding: .25rem 0 }
header nav a { display: inline-flex; align-items: center; gap: .6rem }
header nav svg { width: 1.15rem; height: 1.15rem; flex: none; fill: none; stroke: currentcolor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; opacity: .85 }
header nav b { font-size: .78rem; font-weight: 600; background: #33447a; color: #fff; border-radius: 1rem; padding: 0 .5rem; line-height: 1.25rem; margin-left: auto }
nav a[aria-current] { border-bottom: 2px solid var(--link); font-weight: 600 }
main a[aria-current] { font-weight: 600; text-decoration: none }

/* tables */
.table { overflow-x: auto; margin: .5rem 0 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; box-shadow: var(--shade) }
.card .table, .cause .table, details .table, .note .table { border: 0; background: none; box-shadow: none; margin: .25rem 0 }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
caption { text-align: left; color: var(--dim); font-size: .85rem; padding: .65rem .75rem .3rem }
th, td { min-width: 3.5rem; text-align: left; padding: .5rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top }
.card th, .card td, .card caption, .cause th, .cause td, .cause caption { padding-left: 0 }
tbody tr:last-child > td { border-bottom: 0 }
th { font-size: .8rem; font-weight: 550; color: var(--dim); white-space: nowrap }
tbody tr:hover > td { background: var(--panel) }
tbody tr:focus-within > td, tbody tr:has(td > input:checked) > td { background: var(--chosen) }
.right { text-align: right; white-space: nowrap }
th.right:first-child, td.right:first-child { text-align: left }
td > form { display: inline-block; margin: 0 .4rem .4rem 0 }
td { overflow-wrap: break-word }
td time, .short { white-space: nowrap }
td a { text-decoration-color: color-mix(in srgb, currentcolor 35%, transparent) }
td a:hover { text-decoration-color: currentcolor }
.dense td, .dense th { padding-top: .2rem; padding-bottom: .2rem }
.dense main { font-size: .875rem }

/* how something stands: a word, a shape and a colour */
.mark { font-weight: 560; white-space: nowrap }
.good { color: var(--good) }
.warn { color: var(--warn) }
.bad { color: var(--bad) }
.mark.plain { color: var(--dim); font-weight: 400 }
td .mark:not(.plain), .chip { display: inline-block; border-radius: .4rem; padding: 0 .5rem; font-size: .85rem; line-height: 1.5rem; background: var(--panel) }
td .mark.good, .chip.good { background: var(--good-soft) }
td .mark.warn, .chip.warn { background: var(--warn-soft) }
td .mark.bad, .chip.bad { background: var(--bad-soft) }
td .mark:not(.plain)::before, .chip::before { display: inline-block; width: 1.1em; font-size: .8em }
td .mark.good::before, .chip.good::before { content: "✓" }
td .mark.warn::before, .chip.warn::before { content: "▲" }
td .mark.bad::before, .chip.bad::before { content: "◆" }
.even { color: var(--good) }
output { font-weight: 650 }
.even, .proved { border-bottom: 3px double }

/* what is done */
a.button { display: inline-block; text-decoration: none; margin: 0 .4rem .4rem 0 }
button, a.button { font: inherit; font-weight: 520; line-height: 1.35; padding: .35rem .85rem; min-height: 2.15rem; border-radius: .45rem; border: 1px solid var(--edge); background: var(--paper); color: var(--ink); cursor: pointer; box-shadow: var(--shade) }
button:hover, a.button:hover { background: var(--panel) }
button.primary { background: var(--link); border-color: var(--link); color: var(--on-link) }
button.primary:hover { filter: brightness(1.1) }
button.danger { color: var(--bad); border-color: var(--bad) }
td button, td a.button { white-space: nowrap; padding: .2rem .65rem; min-height: 1.9rem }
input, select, textarea { font: inherit; padding: .35rem .5rem; min-height: 2.15rem; border: 1px solid var(--edge); border-radius: .45rem; background: var(--paper); color: var(--ink); max-width: 100% }
input[type=checkbox], input[type=radio] { min-height: 0; width: 1.15rem; height: 1.15rem; margin: 0 .5rem 0 0; vertical-align: -.2rem; accent-color: var(--link) }
td input[type=checkbox] { margin: .2rem }
.row { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; margin: .75rem 0 }
.row a.button { margin: 0 }
.row label { display: grid; grid-template-columns: minmax(0, 1fr); font-size: .85rem; color: var(--dim) }
.row > .dim { align-self: center }
.actions { display: flex; flex-wrap: wrap; gap: .4rem; min-width: 10.5rem }
.ways { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: .6rem; align-items: center }
.line { font-size: 1.2rem; border-left: 3px solid var(--edge); padding: .1rem 0 .1rem .9rem; margin: .6rem 0; overflow-wrap: anywhere }
.actions > a.button { margin: 0 }
.actions button { white-space: normal }
fieldset { border: 1px solid var(--line); border-radius: .6rem; margin: .6rem 0 1rem; padding: .6rem 1rem; background: var(--paper) }
.declaration { max-width: 46rem }
.declaration > label, fieldset label { display: block; padding: .3rem 0 }
.declaration .long textarea { display: block; width: 100% }
.field { margin: .75rem 0; max-width: 38rem }
.field label { display: block }
.field input, .field select { width: 100% }
[aria-busy] { opacity: .6 }

/* cards */
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem }
.card, .cause { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1.1rem; box-shadow: var(--shade); min-width: 0 }
.cause { margin: 1rem 0; padding: .4rem 1.1rem }
.cause h2 { margin-top: .6rem }
.cause > p { margin: .3rem 0 }
main > .card { margin: 1rem 0 }
.cards.below { margin-top: 1rem }
.cards.below:not(.wide) { grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)) }
.wide { grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)) }
.wide > figure:only-child { max-width: 44rem }
.narrow > .card { max-width: 38rem }
.card h2, .card h3 { margin: 0 0 .4rem; font-size: 1rem; font-weight: 600 }
p.big { margin: .2rem 0 .6rem }
.big { font-size: 1.6rem; font-weight: 640; line-height: 1.25; letter-spacing: -.012em }
.sum { font-size: 1.1rem; font-variant-numeric: tabular-nums }
.card .mark, .sum .mark { white-space: normal }
td .mark:not(.plain) { white-space: nowrap }
td .mark.plain { white-space: normal }
.note { border: 1px solid var(--line); border-left: 4px solid var(--link); border-radius: .5rem; background: var(--paper); padding: .6rem 1rem; margin: 1rem 0 }
.note.bad { border-left-color: var(--bad); background: var(--bad-soft); color: inherit }
.note p, .note ul { margin: .2rem 0 }
.halves { margin: 1rem 0; display: grid; grid-template-columns: minmax(0, 1.75fr) minmax(0, 1fr); gap: 1rem; align-items: start }
.halves > * > :first-child, .halves .card { margin-top: 0 }
.lines { list-style: none; margin: 0; padding: 0 }
.lines > li { display: flex; gap: .2rem 1rem; justify-content: space-between; padding: .6rem 0; border-top: 1px solid var(--line) }
.lines > li:first-child { border: 0 }
.lines > li > .button { flex: none; align-self: center; margin: 0 }
.lines .right { margin-left: auto; font-variant-numeric: tabular-nums }
.equation { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: end; padding: .55rem 0; border-top: 1px solid var(--line); font-variant-numeric: tabular-nums }
.equation > div { min-width: 9rem }
.equation .dim { font-size: .85rem }
.facts { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem }
.facts > div > .dim { font-size: .85rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem }
dt { color: var(--dim) }
dd { margin: 0; overflow-wrap: anywhere }
.evidence { background: var(--paper); border: 1px solid var(--line); padding: .2rem 1rem; margin-top: -1px }

/* what happened, the latest first */
.story { list-style: none; margin: .5rem 0; padding: 0 }
.story > li { position: relative; padding: 0 0 .9rem 1.6rem }
.story > li::before { content: ""; position: absolute; left: 0; top: .4rem; width: .7rem; height: .7rem; border-radius: 50%; background: var(--edge) }
.story > li.good::before { background: var(--good) }
.story > li.warn::before { background: var(--warn) }
.story > li.bad::before { background: var(--bad) }
.story > li:not(:last-child)::after { content: ""; position: absolute; left: .3rem; top: 1.3rem; bottom: -.2rem; width: 2px; background: var(--line) }
.story > li { color: var(--ink) }
.plainly { list-style: none; padding: 0; margin: .3rem 0; font-size: .88rem }

/* charts */
svg { width: 100%; max-width: 40rem; height: auto; display: block }
svg text { font-size: 11px; fill: var(--dim) }
.c1 { fill: var(--c1) }
.c2 { fill: var(--c2) }
.c3 { fill: var(--c3) }
.legend { display: flex; flex-wrap: wrap; gap: 1rem; font-size: .85rem; color: var(--dim) }
.legend i { display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: 2px }
.legend .c1 { background: var(--c1) }
.legend .c2 { background: var(--c2) }
.legend .c3 { background: var(--c3) }
svg.bar { max-width: 20rem; min-width: 8rem; height: .6rem; margin-top: .3rem }
svg .track { fill: var(--line) }
.calendar { table-layout: fixed; min-width: 46rem }
.calendar td, .card .calendar td { border: 1px solid var(--line); padding: .3rem .45rem; height: 3.4rem; font-size: .9rem }
.calendar td.today { background: var(--chosen) }
.calendar td.free time { color: var(--dim) }
.calendar ul { list-style: none; margin: .2rem 0 0; padding: 0 }
.calendar .mark { white-space: normal }
.calendar a { white-space: nowrap }

@media screen and (min-width: 62rem) {
  body.rooms { display: grid; grid-template-columns: 14.25rem minmax(0, 1fr); grid-template-rows: 1fr auto; min-height: 100vh }
  .rooms > header { grid-row: 1 / 3 }
  .rooms > header > div { position: sticky; top: 0; flex-direction: column; align-items: stretch; gap: .9rem; height: 100vh; overflow-y: auto; padding: 1rem .75rem }
  .rooms > header strong { padding: 0 .6rem; font-size: 1.15rem }
  .rooms .menu { display: none }
  header nav > div, header nav:target > div, header nav > div:not(:first-child) { display: grid; gap: .1rem }
  .rooms > header nav { order: 0; flex: 1 0 auto }
  .rooms > header nav a { overflow-wrap: anywhere; padding: .28rem .6rem; border-radius: .4rem; border: 0 }
  .rooms > header nav a:hover { background: #1a2441 }
  .rooms > header nav a[aria-current] { background: #2a3a68; color: #fff }
  .rooms > header nav span.dim { padding: .3rem .6rem .1rem }
  .rooms > header form { margin: 0 }
  .rooms > header form button { width: 100%; background: none; border-color: var(--line); font-weight: 400 }
  .rooms > header .find { flex: none; position: relative }
  .rooms > header .find button { position: absolute; right: 0; width: auto; opacity: 0; pointer-events: none }
  .rooms > header .find:focus-within button { opacity: 1; background: #2a3a68; pointer-events: auto }
  .rooms > main { margin: 0 auto; padding: 1.5rem 2rem }
  .rooms > footer { margin: 1rem auto; width: 100%; padding: 0 2rem }
}
@media (max-width: 62rem) { .halves { grid-template-columns: minmax(0, 1fr) } }
footer form.row { display: inline-flex; margin: 0 0 0 1rem; gap: 0 }
footer form.row button { border: 0; background: none; box-shadow: none; color: var(--link); padding: 0 .5rem; min-height: 1.6rem; font-weight: 400; text-decoration: underline }
footer form.row button[aria-pressed=true] { color: var(--ink); text-decoration: none; font-weight: 600 }

@media print {
  :root:root { color-scheme: light; --ink: #000; --dim: #444; --ground: #fff; --paper: #fff; --panel: #fff; --line: #bbb; --link: #000; --good: #000; --warn: #000; --bad: #000; --good-soft: #fff; --warn-soft: #fff; --bad-soft: #fff; --chosen: #fff; --shade: none; --c1: #2f6fde; --c2: #9db7ea; --c3: #c2571a }
  header, footer, form, .skip, .row { display: none !important }
  body.rooms { display: block }
  a { text-decoration: none }
  .card, tr, figure { break-inside: avoid }
  thead { display: table-header-group }
  rect, .legend i { print-color-adjust: exact }
  .table { overflow: visible }
  .wide { grid-template-columns: 1fr 1fr }
  body { font-size: 10pt }
}
@media screen and (max-width: 44rem) {
  .mark { white-space: normal }
  table, tbody, tr, td, caption { display: block }
  .table { position: relative }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0 }
  tbody tr:last-child { border: 0 }
  td { display: flow-root; border: 0; padding: .1rem .9rem .1rem 8.4rem; min-height: 1.6rem; position: relative }
  .card td, .cause td { padding: .1rem 0 .1rem 7.5rem }
  td.right { text-align: left }
  td::before { content: attr(data-title); float: left; margin-left: -7.5rem; width: 7rem; overflow-wrap: break-word; color: var(--dim); font-size: .85rem }
  td:empty { display: none }
  .lean tr { display: flex; flex-wrap: wrap; gap: .1rem .8rem; padding: .55rem .9rem }
  .card .lean tr, .cause .lean tr { padding: .55rem 0 }
  .lean td, .card .lean td, .cause .lean td { padding: 0; min-height: 0 }
  .lean td.gone { display: none }
  .lean td.right.bare { margin-left: auto; font-weight: 560 }
  .lean td::before { float: none; margin: 0 .3rem 0 0; width: auto }
  .lean td.bare::before { content: none }
  .calendar { min-width: 0 }
  .calendar tr { border: 0; padding: 0 }
  .calendar td, .card .calendar td { border: 0; border-bottom: 1px solid var(--line); height: auto; padding: .4rem 0 .4rem 7.5rem }
  .calendar td.free, .calendar td time { display: none }
}
@media screen and (max-width: 34rem) {
  .wide-only { display: none }
  .lines > li { flex-wrap: wrap }
  svg text { font-size: 18px }
  footer { padding: 0 .8rem }
  .row label, .row textarea { width: 100% }
  main, header > div { padding: .6rem .8rem }
  h1 { font-size: 1.3rem }
  dl { grid-template-columns: 1fr }
  dt { margin-top: .4rem }
}
`

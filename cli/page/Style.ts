/**
 * The page's style sheet: light and dark, for desktop and phone.
 */
const DARK = `--ink: #e6e9f0; --dim: #a0a9bb; --paper: #14171e; --panel: #1d212b; --line: #343a48;
  --link: #8fb1ff; --good: #6fd49a; --warn: #f0b45c; --bad: #ff8f86; --c1: #6d9cf5; --c2: #3c5a97; --c3: #e58a54`

export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2333; --dim: #5a6478; --paper: #fff; --panel: #f5f6f9; --line: #d9dde6; --link: #1f4fbf;
  --good: #176b3a; --warn: #8a5300; --bad: #b3261e; --c1: #2f6fde; --c2: #9db7ea; --c3: #c2571a; }
@media (prefers-color-scheme: dark) { :root:not(.light) { ${DARK} } } :root.dark { ${DARK}; color-scheme: dark } :root.light { color-scheme: light }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
a { color: var(--link) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.skip { position: absolute; left: -100vw } .skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem }
header { background: var(--panel); border-bottom: 1px solid var(--line) }
header > div, main { max-width: 76rem; margin: 0 auto; padding: .75rem 1.25rem; width: 100%; min-width: 0 }
header > div { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline }
header strong { font-size: 1.1rem; margin-right: .5rem }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; flex: 1 } header nav { flex-basis: 100%; order: 3; flex-direction: column; gap: .75rem } header nav > div { display: flex; flex-wrap: wrap; gap: 0 1rem }
header nav > div:not(:first-child) { display: none } header nav:target > div { display: flex } header nav span { flex-basis: 100%; font-size: .85rem } header form { margin-left: auto } header .find { display: flex; gap: .4rem; flex: 1 1 12rem; margin: 0 } .find input { flex: 1; min-width: 6rem; width: 100% } main nav { margin: .5rem 0 }
nav a { text-decoration: none; padding: .25rem 0 } nav a[aria-current] { border-bottom: 2px solid var(--link); font-weight: 600 } main a[aria-current] { font-weight: 600; text-decoration: none }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0; overflow-wrap: anywhere } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
.table { overflow-x: auto; margin: .5rem 0 1rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
caption { text-align: left; color: var(--dim); font-size: .9rem; padding-bottom: .25rem }
th, td { min-width: 3.5rem; text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
th { font-size: .85rem; color: var(--dim); white-space: nowrap } .right { text-align: right; white-space: nowrap }
td > form { display: inline-block; margin: 0 .4rem .4rem 0 } th.right:first-child, td.right:first-child { text-align: left } .right + :not(.right) { padding-left: .75rem }
.mark { white-space: nowrap; font-weight: 600 } .good { color: var(--good) } .warn { color: var(--warn) } .bad { color: var(--bad) }
.actions { display: flex; flex-wrap: wrap; gap: .4rem; min-width: 7rem } .actions > a.button { margin: 0 } .actions button { white-space: normal }
.mark.plain { color: var(--dim); font-weight: 400 }
a.button { display: inline-block; text-decoration: none; margin: 0 .4rem .4rem 0 } button, a.button { font: inherit; padding: .35rem .9rem; min-height: 2.2rem; border-radius: .4rem; border: 1px solid var(--line); background: var(--panel); color: var(--ink); cursor: pointer }
button.primary { background: var(--link); border-color: var(--link); color: var(--paper) } button.danger { color: var(--bad); border-color: var(--bad) }
input, select, textarea { font: inherit; padding: .35rem .5rem; min-height: 2.2rem; border: 1px solid var(--dim); border-radius: .4rem; background: var(--paper); color: var(--ink); max-width: 100% }
.row { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; margin: .75rem 0 } .row a.button { margin: 0 } .row label { display: grid; grid-template-columns: minmax(0, 1fr); font-size: .85rem; color: var(--dim) }
.note { border-left: 4px solid var(--link); background: var(--panel); padding: .6rem 1rem; margin: 1rem 0 } .note.bad { border-color: var(--bad); color: inherit }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem } .card { background: var(--panel); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1.1rem }
.cards.below { margin-top: 1rem } .news, .cards.below:not(.wide) { grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)) } .sum { font-size: 1.1rem } .card .mark, .sum .mark, td:last-child .mark { white-space: normal } td button, td a.button { white-space: nowrap }
.wide { grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)) } figure { margin: 0 } .wide > figure:only-child { max-width: 44rem }
.card h2, .card h3 { margin: 0 0 .4rem; font-size: 1rem } .big { font-size: 1.7rem; font-weight: 650; line-height: 1.2 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); padding: .6rem .8rem; border-radius: .4rem; font-size: .85rem; margin: .3rem 0 }
output { font-weight: 650 } .even { color: var(--good); border-bottom: 3px double } .evidence { border-top: 1px solid var(--line) } .cause { border: 1px solid var(--line); border-radius: .6rem; padding: .25rem 1.1rem; margin: 1rem 0 } .cause h2 { margin-top: .6rem } .cause > p { margin: .3rem 0 } td input[type=checkbox] { margin: .3rem }
.dense td, .dense th { padding-top: .15rem; padding-bottom: .15rem } .dense main { font-size: .92rem } .dim { color: var(--dim) } td { overflow-wrap: break-word } code { overflow-wrap: anywhere } td time, .short { white-space: nowrap }
svg { width: 100%; max-width: 40rem; height: auto; display: block } svg text { font-size: 11px; fill: var(--dim) } .c1 { fill: var(--c1) } .c2 { fill: var(--c2) } .c3 { fill: var(--c3) }
.legend { display: flex; flex-wrap: wrap; gap: 1rem; font-size: .85rem; color: var(--dim) } .legend i { display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: 2px }
.legend .c1 { background: var(--c1) } .legend .c2 { background: var(--c2) } .legend .c3 { background: var(--c3) }
svg.bar { max-width: 20rem; min-width: 8rem; height: .9rem } svg .track { fill: var(--line) }
.calendar { table-layout: fixed; min-width: 46rem } .calendar td { border: 1px solid var(--line); padding: .3rem .45rem; height: 3.4rem; font-size: .9rem } .calendar td.today { background: var(--panel) }
.calendar td.free time { color: var(--dim) } .calendar ul { list-style: none; margin: .2rem 0 0; padding: 0 } .calendar .mark { white-space: normal } .calendar a { white-space: nowrap } .narrow > .card { max-width: 38rem }
fieldset { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0 1rem; padding: .6rem 1rem } .declaration { max-width: 46rem } .declaration > label, fieldset label { display: block; padding: .3rem 0 } .declaration .long textarea { display: block; width: 100% }
input[type=checkbox], input[type=radio] { min-height: 0; width: 1.15rem; height: 1.15rem; margin: 0 .5rem 0 0; vertical-align: -.2rem } .note p, .note ul { margin: .2rem 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem } dt { color: var(--dim) } dd { margin: 0; overflow-wrap: anywhere }
footer { max-width: 76rem; margin: 2rem auto; padding: 0 1.25rem; color: var(--dim); font-size: .85rem }
main > .card { margin: 1rem 0 } .field { margin: .75rem 0; max-width: 38rem } .field label { display: block } .field input, .field select { width: 100% } summary { cursor: pointer; padding: .3rem 0 } [aria-busy] { opacity: .6 }
@media screen and (min-width: 62rem) { body.rooms { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); grid-template-rows: 1fr auto; min-height: 100vh } .rooms > header { grid-row: 1 / 3; border: 0; border-right: 1px solid var(--line) }
  .rooms > header > div { position: sticky; top: 0; flex-direction: column; align-items: stretch; gap: .9rem; max-height: 100vh; overflow-y: auto } .rooms .menu { display: none } header nav > div, header nav:target > div, header nav > div:not(:first-child) { display: grid }
  .rooms > header nav { order: 0; flex: 0 1 auto } .rooms > header nav a { overflow-wrap: anywhere; padding: .3rem .6rem; border-radius: .4rem } .rooms > header nav span { padding: .3rem .6rem } .rooms > header nav a[aria-current] { background: var(--paper); border: 0 } .rooms > header form { margin: 0 } .rooms > header .find { flex: none } .rooms > main { margin: 0 } .rooms > footer { margin: 1rem 0 } }
@media print { :root:root { color-scheme: light; --ink: #000; --dim: #444; --paper: #fff; --panel: #fff; --line: #bbb; --link: #000 } header, footer, form, .skip, .row { display: none !important }
  a { text-decoration: none } .card, tr, figure { break-inside: avoid } thead { display: table-header-group } rect { print-color-adjust: exact } .table { overflow: visible } body { font-size: 10pt } }
@media screen and (max-width: 44rem) { .mark { white-space: normal } table, tbody, tr, td, caption { display: block } .table { position: relative } thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0 } td { display: flow-root; border: 0; padding: .1rem 0 .1rem 7.5rem; min-height: 1.6rem; position: relative }
  td.right { text-align: left } .right + td:not(.right) { padding-left: 7.5rem } td::before { content: attr(data-title); float: left; margin-left: -7.5rem; width: 7rem; overflow-wrap: break-word; color: var(--dim); font-size: .85rem } td:empty { display: none } td .mark { white-space: normal }
  .calendar { min-width: 0 } .calendar tr { border: 0; padding: 0 } .calendar td { border: 0; border-bottom: 1px solid var(--line); height: auto; padding: .4rem 0 .4rem 7.5rem } .calendar td.free { display: none } .calendar td time { display: none } }
@media screen and (max-width: 34rem) { .wide-only { display: none } svg text { font-size: 18px } footer { padding: 0 .8rem } .row label, .row textarea { width: 100% }
  main, header > div { padding: .6rem .8rem } h1 { font-size: 1.3rem } dl { grid-template-columns: 1fr } dt { margin-top: .4rem } }
`

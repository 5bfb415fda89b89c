/** The page of an evidence pack, in one file: it may load nothing and send nothing, and runs this script alone. */
import { createHash } from "node:crypto"
import { SCRIPT } from "./Script.ts"

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;color:#1b1b1b;background:#fff}
table{border-collapse:collapse;display:block;overflow-x:auto;font-size:.875rem}th,td{border-bottom:1px solid #ccc;padding:.25rem .6rem;text-align:left;vertical-align:top}
td{overflow-wrap:anywhere;min-width:5rem}.good{border-left:.3rem solid #1a7f37;padding-left:1rem}.open{border-left:.3rem solid #9a6700;padding-left:1rem}.bad{border-left:.3rem solid #b3261e;padding-left:1rem}
#result p{overflow-wrap:anywhere}label{display:block;margin:.75rem 0}input[type=text],input[type=search]{width:min(40rem,90%);font:inherit}
button.link{background:none;border:0;padding:0;color:#0b57d0;text-decoration:underline;cursor:pointer;font:inherit;text-align:left}
@media(prefers-color-scheme:dark){body{background:#161616;color:#e8e8e8}th,td{border-color:#444}button.link{color:#8ab4f8}.good{border-color:#57ab5a}.bad{border-color:#f47067}}`

const source = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

export const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${source(SCRIPT)}; style-src ${source(STYLE)}">
<title>Evidence of a month</title><style>${STYLE}</style></head>
<body><main><h1>Evidence of a month</h1>
<p>This page works without a network. Choose the pack that it came in, the whole ZIP file: every digest is computed again on this machine.</p>
<label>The pack <input id="file" type="file" accept=".zip"></label>
<label>An entry that was written down elsewhere, as NUMBER:HASH, if you have one <input id="head" type="text" autocomplete="off" spellcheck="false"></label>
<div id="result" role="status"></div>
<section id="statement"></section>
<form id="searching" hidden><label>Follow a figure: a document, its number, or a customer <input id="search" type="search"></label><button>Search</button></form>
<section id="found"></section>
</main><script>${SCRIPT}</script></body></html>
`

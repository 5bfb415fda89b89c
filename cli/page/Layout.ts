/**
 * Renders what every page has: the menu, the result of the last action, and the service's address in the footer.
 */
import { button, html, type Node, render, sentence } from "./Html.ts"
import type { Offered } from "../../sync/decisions/Undo.ts"
import { undoButton } from "./UndoRoutes.ts"
import { isShared, type Person } from "../../sync/model/Person.ts"
import { grouped } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"
import { icon } from "./Icons.ts"
import { chosenLook, language } from "./language/Language.ts"
import { languageChoice } from "./LanguageChoice.ts"
import { scriptWords } from "./Script.ts"

export interface Frame {
  readonly title: string
  /** The page's entry in the menu. */
  readonly at?: string
  /** The session's form token; absent on the login page. */
  readonly form?: string
  /** Who is signed in. */
  readonly person?: Person
  /** The result of the last action. */
  readonly said?: string | undefined
  readonly wrong?: boolean
  /** What of it can be taken back. */
  readonly undo?: ReadonlyArray<Offered>
  readonly service?: string | null
  /** How much waits for a person, by entry of the menu. */
  readonly counts?: Readonly<Record<string, number>>
  /** The tenant, if there are several. */
  readonly tenant?: string
  /** It follows runs: the query with which the same page is asked for again. */
  readonly follows?: string
  /** What was searched for everywhere. */
  readonly sought?: string
  /** Other entries of the menu. */
  readonly menu?: Menu
}

/** Rooms under one word; the first group has none, and is what somebody comes for. */
export type Menu = ReadonlyArray<readonly [title: string, rooms: ReadonlyArray<readonly [path: string, name: string]>]>

const MENU: Menu = [
  [
    "",
    [
      ["/", "Today"],
      ["/attention", "Work queue"],
      ["/plans", "Approvals"]
    ]
  ],
  [
    "Money",
    [
      ["/receivables", "Receivables"],
      ["/customers", "Customers"],
      ["/debtors", "Companies to confirm"],
      ["/documents", "Documents"],
      ["/cover", "Cover"]
    ]
  ],
  [
    "Proof",
    [
      ["/months", "Month end"],
      ["/activity", "Activity"]
    ]
  ],
  [
    "Set-up",
    [
      ["/connections", "Connections"],
      ["/people", "People"],
      ["/alerts", "Alerts"],
      ["/settings", "Settings"]
    ]
  ]
]

/** The box that finds everything. */
const finding = (
  sought: string
): Node => html`<form class="find" method="get" action="/search" role="search" aria-label="Everything">
  <input type="search" name="q" value=${sought} aria-label="Number, customer, reference or amount" placeholder="Search" />
  <button class="plain">Find</button>
</form>`

const counted = (count = 0): Node => (count > 0 ? html`<b>${grouped(count)}</b>` : null)

export const page = (
  {
    at,
    counts = {},
    follows,
    form,
    menu = MENU,
    person,
    said,
    service,
    sought = "",
    tenant,
    title,
    undo = [],
    wrong
  }: Frame,
  body: Node
): string =>
  render(html`
    <html lang=${language()} class=${chosenLook() || undefined} data-words=${scriptWords()}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${`${title} – Daybook`}</title>
        <link rel="stylesheet" href="/style.css" />
        <link rel="icon" href="data:," />
        <script src="/page.js" defer></script>
        ${follows === undefined ? null : html`<link rel="alternate" type="text/event-stream" href="/live" />`}
      </head>
      <body class=${form === undefined ? undefined : "rooms"}>
        <a class="skip" href="#main">To the content</a>
        <header>
          <div>
            ${
              tenant === undefined
                ? html`<strong>Daybook</strong>`
                : html`<a href="/t/">All tenants</a> <strong>${tenant}</strong>`
            }
            ${
              form === undefined
                ? null
                : html`${menu === MENU ? finding(sought) : null}
                    <a class="button menu" href="#menu">Menu</a>
                    <nav id="menu" aria-label="Pages">
                      ${menu.map(
                        ([title, rooms]) => html`<div>
                          ${title === "" ? null : html`<span class="dim">${term(title)}</span>`}
                          ${rooms.map(
                            ([path, name]) =>
                              html`<a href=${path} aria-current=${at === path ? "page" : undefined}
                                >${icon(path)} <span>${term(name)}</span> ${counted(counts[path])}</a
                              >`
                          )}
                        </div>`
                      )}
                    </nav>
                    ${person === undefined || isShared(person) ? null : html`<a class="dim" href="/people">${person.name}</a>`}
                    ${button("/leave", t`Sign out`, form)}`
            }
          </div>
        </header>
        <main id="main">
          ${said === undefined ? null : html`<p class=${wrong === true ? "note bad" : "note"} role="status">${said}</p>`}
          ${undo.map((one) => html`<div class="row">${undoButton(one, form ?? "")} <span class="dim">${sentence(one.words)}</span></div>`)}
          ${follows === undefined ? null : html`<p id="progress" class="note" hidden></p>`}
          <h1>${title}</h1>
          ${follows === undefined ? body : html`<div id="live" data-again=${follows}>${body}</div>`}
        </main>
        <footer>${service === undefined || service === null ? t`Nothing was sent to a service yet.` : t`The service is ${service}.`} <span data-zone>Times are in UTC.</span>
          ${form === undefined ? null : languageChoice(form, at)}</footer>
      </body>
    </html>
  `)

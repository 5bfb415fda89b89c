/** Renders what every page of a link has: the branding, the progress, and the security headers. */
import { html, type Node, render } from "../page/Html.ts"
import { term } from "../page/language/Texts.ts"
import { language } from "../page/language/Language.ts"
import { sentenceText } from "../page/language/Sentences.ts"
import type { Brand } from "./Brand.ts"

export interface ConnectPage {
  readonly title: string
  readonly body: Node
  readonly status?: number
  /** Whose the books become on the platform. */
  readonly account?: string
  readonly step?: (typeof STEPS)[number]
  /** What is wrong, and what to do. */
  readonly wrong?: string | undefined
}

const STEPS = ["Choose", "Connect", "Check"] as const

export const connectPage = (brand: Brand, { account, body, step, title, wrong }: ConnectPage): string =>
  render(html`
    <html lang=${language()}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${`${title} – ${brand.name}`}</title>
        <link rel="stylesheet" href="/connect/style.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <a class="skip" href="#main">To the content</a>
        <header>
          <div>${brand.logo === undefined ? null : html`<img src=${brand.logo} alt="" />`}<strong>${brand.name}</strong></div>
        </header>
        <main id="main">
          ${
            step === undefined
              ? null
              : html`<ol class="steps" aria-label="Steps">
                ${STEPS.map((one, n) => html`<li aria-current=${one === step ? "step" : undefined}>${n + 1}. ${term(one)}</li>`)}
              </ol>`
          }
          <h1>${title}</h1>
          ${
            account === undefined ? null : html`<p>For the account of <strong>${account}</strong> at ${brand.name}.</p>`
          }
          ${wrong === undefined ? null : html`<p class="note bad" role="alert">${sentenceText(wrong)}</p>`}
          ${body}
        </main>
      </body>
    </html>
  `)

/**
 * Nothing is loaded from other sites, and no referrer is sent, because the address of a link is its key.
 *
 * @param back where a form may finally redirect to
 */
export const connectHeaders = (back?: string): Readonly<Record<string, string>> => ({
  "content-security-policy": `default-src 'none'; style-src 'self'; img-src data:; form-action 'self'${back === undefined ? "" : ` ${new URL(back).origin}`}; base-uri 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex"
})

/** A form of this session. */
export const ownForm = (
  action: string,
  word: string,
  fields: Node,
  { multipart = false }: { readonly multipart?: boolean } = {}
): Node => html`
  <form method="post" action=${action} enctype=${multipart ? "multipart/form-data" : undefined}>
    <input type="hidden" name="form" value=${word} />
    ${fields}
  </form>
`

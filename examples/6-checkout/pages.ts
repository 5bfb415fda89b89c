/**
 * The shop's pages. They contain no inline code, so their content security policy needs no exceptions; it names the origins
 * that the elements need.
 */
import { Checkout, Currency, Decimal } from "daybook/core"
import { GOODS } from "./cart.ts"

interface Service {
  readonly sdk: string
  readonly frame: string
  readonly publicKey: string
}

export const policy = ({ frame, sdk }: Service): string => {
  const { "script-src": script, ...rest } = Checkout.policy(sdk, frame)
  const others = Object.entries(rest).map(([name, value]) => `${name} ${value}`)
  return [
    "default-src 'none'",
    `script-src 'self' ${script}`,
    ...others,
    "style-src 'self'",
    "img-src data:",
    "form-action 'self'",
    "base-uri 'none'"
  ].join("; ")
}

const markup = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[one]!)

/** With `sdk` the page loads the SDK in its markup and from the service, as required. */
const layout = (title: string, body: string, sdk = ""): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/shop.css">
${sdk === "" ? "" : `<script src="${sdk}" async></script>`}</head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>`

const pounds = (minor: string): string => Currency.say(Currency.fromMinor(Decimal.of(minor), "GBP"), "GBP")

/** The first page: the cart and the buyer. With an intent, the second page asks for the company. */
export const cartPage = ({ publicKey, sdk }: Service, mode: string): string =>
  layout(
    "Your cart",
    `<form method="post" action="/orders?as=${encodeURIComponent(mode)}">
${Object.entries(GOODS)
  .map(
    ([item, { name, price }]) =>
      `<label>${name}, ${pounds(price)} each <input name="${item}" type="number" min="0" max="100" value="1"></label>`
  )
  .join("\n")}
<label>Your name <input name="name" autocomplete="name" required></label>
<label>Email <input name="email" type="email" autocomplete="email" required></label>
${mode === "intent" ? "" : `<input name="company" type="hidden"><div id="company" data-sdk="${sdk}" data-public-key="${publicKey}"></div><script type="module" src="/cart.js"></script>`}
<button>Continue to payment</button></form>`,
    mode === "intent" ? "" : sdk
  )

/** The second page: when and how to pay. `json` is the result of `Checkout.page`. */
export const checkoutPage = ({ sdk }: Service, name: string, json: string, mode: string): string =>
  layout(
    "Payment",
    `<script type="application/json" id="given">${json}</script>
<div id="checkout" data-mode="${markup(mode)}" data-order="${name}"></div>
${mode === "buttonless" || mode === "headless" ? `<p class="legal">By placing the order you accept the <a href="${new URL("/legal/terms", sdk).href}">payment terms and privacy policy</a>.</p><button id="place" disabled>Place the order</button>` : ""}
<script type="module" src="/checkout.js"></script>`,
    sdk
  )

/** Shown to a company that may not pay later. */
export const otherPage = (number: string): string =>
  layout(
    "Payment",
    `<p id="other">Pay order ${markup(number)} by card or in advance. Paying later is not available for it.</p>`
  )

export const thanksPage = (number: string, status: string): string =>
  layout("Authorised", `<p id="status">Order ${markup(number)}. ${markup(status)}</p>`)

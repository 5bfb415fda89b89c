/**
 * A shop that lets its buyers pay later: two pages, an address for notifications, and a warehouse that asks the service before
 * anything leaves. Daybook captures what has left when it syncs the books.
 *
 *     node shop.ts          also starts the service's sandbox, unless SERVICE_URL names a service
 */
import { Checkout } from "daybook/core"
import { startSandbox } from "daybook/sandbox"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { fileURLToPath } from "node:url"
import { sell, ship } from "./books.ts"
import { amountOf, type Cart, cartOf, draftOf, today } from "./cart.ts"
import { cartPage, checkoutPage, otherPage, policy, thanksPage } from "./pages.ts"

const { PORT = "8080", SERVICE_KEY = "sandbox-key", SERVICE_URL } = process.env

/** The real service's addresses and public key are in its dashboard; a sandbox provides its own. */
const service =
  SERVICE_URL === undefined
    ? await startSandbox({ port: 4010, keys: [SERVICE_KEY] }).then(({ frame, publicKeys, sdk, url }) => ({
        url,
        sdk,
        frame,
        publicKey: publicKeys[0]!
      }))
    : {
        url: SERVICE_URL,
        sdk: process.env["SDK_URL"]!,
        frame: process.env["FRAME_URL"]!,
        publicKey: process.env["PUBLIC_KEY"]!
      }

const checkout = Checkout.open({ url: service.url, key: SERVICE_KEY })

/** What this shop stores of an order, under a name that cannot be guessed. A real shop keeps it in its database. */
interface Placed {
  readonly number: string
  /** The service's identifier. */
  readonly order: string
  /** The page's data; undefined if nothing is offered. */
  readonly page: string | undefined
  readonly mode: string
}
const placed = new Map<string, Placed>()
let last = 1000

/** Places the order on the service, with an offer or as an intent. */
const place = async (cart: Cart, mode: string, notification: string): Promise<string> => {
  const number = String(++last)
  const { publicKey, sdk } = service
  const user = { email: cart.email, name: cart.name }
  const registered = `${today()}T00:00:00Z`
  const draft = draftOf(cart, number)
  const page = (shown: object) => Checkout.page({ sdk, publicKey, ...shown }, SERVICE_KEY)
  const name = randomUUID()
  if (mode === "intent") {
    const customer = { user: { ...user, registered } }
    const intent = await checkout.intent({ ...draft, customer, locale: "en-gb", notification })
    placed.set(name, { number, order: String(intent.order), page: page({ intent }), mode })
    return name
  }
  const customer = await checkout.buyer({ unique_id: cart.email, registered, user }, cart.company)
  const { id } = await checkout.order({ ...draft, customer, order_date: today() })
  const offer = await checkout.offer(id, { locale: "en-gb", notification })
  placed.set(name, { number, order: id, page: Checkout.isOffered(offer) ? page({ offer }) : undefined, mode })
  return name
}

/** A notification that something happened to a payment; the service is asked what. It may arrive more than once. */
const receiveWebhook = async (body: string): Promise<void> => {
  const { order, payment } = await checkout.heard(body)
  if (Checkout.shipping(payment, 0n).ship) sell(order)
}

const statusOf = async ({ order }: Placed): Promise<string> => {
  const answer = await checkout.mayShip(order, 0n)
  return answer.ship ? "Your order is confirmed, and you pay later." : `Your order waits: ${answer.why}.`
}

/** The warehouse ships everything once the service allows it. */
const send = async (name: string): Promise<{ readonly status: number; readonly text: string }> => {
  const known = placed.get(name)
  if (known === undefined) return { status: 404, text: "There is no such order." }
  const answer = await checkout.mayShip(known.order, amountOf(known.number))
  if (!answer.ship) return { status: 409, text: `Not to be sent: ${answer.why}.` }
  ship(known.number)
  return { status: 200, text: `${known.number} has left.` }
}

const FILES: Readonly<Record<string, readonly [type: string, path: string]>> = {
  "/shop.css": ["text/css", "browser/shop.css"],
  "/cart.js": ["text/javascript", "browser/cart.js"],
  "/checkout.js": ["text/javascript", "browser/checkout.js"]
}

const route = async (request: IncomingMessage, base: string, body: string) => {
  const { method = "GET", url = "/" } = request
  const { pathname, searchParams } = new URL(url, base)
  const [, what = "", name = ""] = pathname.split("/")
  const file = FILES[pathname]
  if (file !== undefined) return { type: file[0], text: readFileSync(new URL(file[1], import.meta.url), "utf8") }
  switch (`${method} /${what}`) {
    case "GET /daybook-checkout.js":
      return {
        type: "text/javascript",
        text: readFileSync(fileURLToPath(import.meta.resolve("daybook/checkout")), "utf8")
      }
    case "GET /":
      return { text: cartPage(service, searchParams.get("as") ?? "offer") }
    case "POST /orders": {
      const mode = searchParams.get("as") ?? "offer"
      const made = await place(cartOf(new URLSearchParams(body)), mode, `${base}/notifications`)
      return { status: 303, to: `/checkout/${made}` }
    }
    case "GET /checkout": {
      const known = placed.get(name)
      if (known === undefined) break
      return {
        text: known.page === undefined ? otherPage(known.number) : checkoutPage(service, name, known.page, known.mode)
      }
    }
    case "GET /thanks": {
      const known = placed.get(name)
      if (known === undefined) break
      return { text: thanksPage(known.number, await statusOf(known)) }
    }
    case "GET /other-ways":
      return { text: otherPage(placed.get(name)?.number ?? "") }
    case "POST /notifications":
      await receiveWebhook(body)
      return { type: "text/plain", text: "" }
    case "POST /warehouse":
      return { type: "text/plain", ...(await send(name)) }
  }
  return { status: 404, type: "text/plain", text: "Not found." }
}

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  let body = ""
  for await (const chunk of request.setEncoding("utf8")) body += chunk
  const found: { status?: number; type?: string; text?: string; to?: string } = await route(
    request,
    `http://${request.headers.host}`,
    body
  ).catch((cause) => ({
    status: 400,
    type: "text/plain",
    text: cause instanceof Error ? cause.message : String(cause)
  }))
  response.writeHead(found.status ?? 200, {
    "content-type": `${found.type ?? "text/html"}; charset=utf-8`,
    "content-security-policy": policy(service),
    ...(found.to === undefined ? {} : { location: found.to })
  })
  response.end(found.text)
}

const server = createServer((request, response) => void answer(request, response))
server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address() as { readonly port: number }
  console.log(`The shop: http://127.0.0.1:${address.port}`)
})

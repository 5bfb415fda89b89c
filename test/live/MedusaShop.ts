/** A real Medusa on a PostgreSQL of its own, with one product, and what its clerk and a buyer do over its interfaces. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort, postgres, start } from "../support/Servers.ts"
import { asking, type Data, packages, ready, spawned } from "./Live.ts"

const VERSION = "2.21.2"
const VERSIONS = { "@medusajs/medusa": VERSION, "@medusajs/framework": VERSION, "@medusajs/cli": VERSION }
const ADMIN = { email: "admin@example.com", password: "supersecret" }

const CONFIGURATION = `const { defineConfig } = require("@medusajs/framework/utils")
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: { storeCors: "*", adminCors: "*", authCors: "*", jwtSecret: "live", cookieSecret: "live" }
  }
})
`

export interface Sold {
  readonly id: string
  readonly total: number
  /** Its only line, and its payment. */
  readonly line: string
  readonly payment: string
}

type Ask = (method: string, path: string, body?: object) => Promise<Data>

/** A region with taxes of 20 %, a place with goods, delivery for 6.00 and a product for 20.00, both without tax. */
const furnish = async (ask: Ask) => {
  const [channel] = (await ask("GET", "/sales-channels")).sales_channels
  const { api_key: store } = await ask("POST", "/api-keys", { title: "store", type: "publishable" })
  await ask("POST", `/api-keys/${store.id}/sales-channels`, { add: [channel.id] })
  const [{ id }] = (await ask("GET", "/stores")).stores
  await ask("POST", `/stores/${id}`, { supported_currencies: [{ currency_code: "eur", is_default: true }] })
  const home = { name: "Home", currency_code: "eur", countries: ["at"], payment_providers: ["pp_system_default"] }
  const { region } = await ask("POST", "/regions", home)
  const vat = { name: "VAT", code: "vat", rate: 20 }
  await ask("POST", "/tax-regions", { country_code: "at", provider_id: "tp_system", default_tax_rate: vat })
  const place = { name: "House", address: { address_1: "1 Quay", country_code: "at" } }
  const { stock_location: house } = await ask("POST", "/stock-locations", place)
  const at = `/stock-locations/${house.id}`
  await ask("POST", `${at}/fulfillment-providers`, { add: ["manual_manual"] })
  await ask("POST", `${at}/sales-channels`, { add: [channel.id] })
  await ask("POST", `${at}/fulfillment-sets`, { name: "Parcels", type: "shipping" })
  const [set] = (await ask("GET", `${at}?fields=*fulfillment_sets`)).stock_location.fulfillment_sets
  const zone = { name: "Austria", geo_zones: [{ type: "country", country_code: "at" }] }
  const { fulfillment_set } = await ask("POST", `/fulfillment-sets/${set.id}/service-zones`, zone)
  const known = (await ask("GET", "/shipping-profiles")).shipping_profiles[0]
  const profile =
    known ?? (await ask("POST", "/shipping-profiles", { name: "Default", type: "default" })).shipping_profile
  const { shipping_option: delivery } = await ask("POST", "/shipping-options", {
    name: "Parcel",
    service_zone_id: fulfillment_set.service_zones[0].id,
    shipping_profile_id: profile.id,
    provider_id: "manual_manual",
    price_type: "flat",
    type: { label: "Parcel", description: "", code: "parcel" },
    prices: [{ currency_code: "eur", amount: 6 }],
    rules: [
      { attribute: "enabled_in_store", operator: "eq", value: "true" },
      { attribute: "is_return", operator: "eq", value: "false" }
    ]
  })
  const { product } = await ask("POST", "/products", {
    title: "Tea",
    status: "published",
    shipping_profile_id: profile.id,
    sales_channels: [{ id: channel.id }],
    options: [{ title: "Size", values: ["One", "Two"] }],
    variants: ["One", "Two"].map((Size) => ({
      title: `Tea ${Size}`,
      sku: `T-${Size}`,
      manage_inventory: false,
      options: { Size },
      prices: [{ currency_code: "eur", amount: 20 }]
    }))
  })
  const [variant, other] = product.variants.map(({ id }: Data) => id as string)
  return {
    channel: channel.id,
    region: region.id,
    house: house.id,
    delivery: delivery.id,
    variant,
    other,
    store: store.token
  }
}

type Furniture = Awaited<ReturnType<typeof furnish>>

const buyer =
  (ask: Ask, { channel, delivery, region, variant }: Furniture) =>
  async (quantity: number) => {
    const at = { first_name: "Ann", last_name: "Mill", company: "Bakery Ltd", address_1: "1 Quay", city: "Wien" }
    const { cart } = await ask("POST", "/carts", {
      region_id: region,
      sales_channel_id: channel,
      email: "ann@example.com",
      items: [{ variant_id: variant, quantity }],
      shipping_address: { ...at, postal_code: "1010", country_code: "at" }
    })
    await ask("POST", `/carts/${cart.id}/shipping-methods`, { option_id: delivery })
    const { payment_collection: payment } = await ask("POST", "/payment-collections", { cart_id: cart.id })
    await ask("POST", `/payment-collections/${payment.id}/payment-sessions`, { provider_id: "pp_system_default" })
    return (await ask("POST", `/carts/${cart.id}/complete`, {})).order.id as string
  }

const FIELDS = "id,display_id,updated_at,status,total,*items,*payment_collections.payments,*fulfillments"

const clerk = (ask: Ask, buys: (quantity: number) => Promise<string>, { house, other }: Furniture) => {
  const read = async (id: string): Promise<Data> => (await ask("GET", `/orders/${id}?fields=${FIELDS}`)).order
  return {
    /** Ordered, and paid with what `pay` answers: it is given the order's number and total. */
    sell: async (pieces: number, pay: (number: string, total: number) => Promise<string>): Promise<Sold> => {
      const id = await buys(pieces)
      const { display_id, items, payment_collections, total } = await read(id)
      const minor = Math.round(total * 100)
      await ask("POST", `/orders/${id}`, { metadata: { deferred_payment: await pay(String(display_id), minor) } })
      const payment = payment_collections[0].payments[0].id
      await ask("POST", `/payments/${payment}/capture`, {})
      return { id, total: minor, line: items[0].id, payment }
    },
    ship: async ({ id, line }: Sold, quantity: number) => {
      const items = [{ id: line, quantity }]
      const before = new Set((await read(id)).fulfillments.map((one: Data) => one.id))
      await ask("POST", `/orders/${id}/fulfillments`, { items, location_id: house })
      const made = (await read(id)).fulfillments.find((one: Data) => !before.has(one.id))
      const label = {
        tracking_number: "JD01",
        tracking_url: "https://dhl.example/JD01",
        label_url: "https://dhl.example/1"
      }
      await ask("POST", `/orders/${id}/fulfillments/${made.id}/shipments`, { items, labels: [label] })
    },
    /** Pieces come back, and are received. */
    back: async ({ id, line }: Sold, quantity: number) => {
      const made = (await ask("POST", "/returns", { order_id: id, location_id: house })).return.id
      const items = [{ id: line, quantity }]
      await ask("POST", `/returns/${made}/request-items`, { items })
      await ask("POST", `/returns/${made}/request`, {})
      await ask("POST", `/returns/${made}/receive`, {})
      await ask("POST", `/returns/${made}/receive-items`, { items })
      await ask("POST", `/returns/${made}/receive/confirm`, {})
    },
    refund: ({ payment }: Sold, minor: number) => ask("POST", `/payments/${payment}/refund`, { amount: minor / 100 }),
    /** What the buyer is owed becomes store credit. */
    credit: ({ id }: Sold, minor: number) =>
      ask("POST", `/orders/${id}/credit-lines`, {
        amount: -minor / 100,
        reference: "store_credit",
        reference_id: "card-1"
      }),
    /** An edit of the order: its line has so many pieces from then on. */
    lower: async ({ id, line }: Sold, quantity: number) => {
      await ask("POST", "/order-edits", { order_id: id })
      await ask("POST", `/order-edits/${id}/items/item/${line}`, { quantity })
      await ask("POST", `/order-edits/${id}/request`, {})
      await ask("POST", `/order-edits/${id}/confirm`, {})
    },
    /** An edit that takes a piece off and adds another one for the same price. Answers the order with that one as its line. */
    swap: async ({ line, ...sold }: Sold, quantity: number): Promise<Sold> => {
      const { id } = sold
      await ask("POST", "/order-edits", { order_id: id })
      await ask("POST", `/order-edits/${id}/items/item/${line}`, { quantity })
      await ask("POST", `/order-edits/${id}/items`, { items: [{ variant_id: other, quantity: 1 }] })
      await ask("POST", `/order-edits/${id}/request`, {})
      await ask("POST", `/order-edits/${id}/confirm`, {})
      return { ...sold, line: (await read(id)).items.find((one: Data) => one.id !== line).id }
    },
    /** A piece comes back, and another one for the same price goes in its place. */
    exchange: async ({ line, ...sold }: Sold): Promise<Sold> => {
      const { id } = sold
      const { exchange } = await ask("POST", "/exchanges", { order_id: id })
      const at = `/exchanges/${exchange.id}`
      await ask("POST", `${at}/inbound/items`, { items: [{ id: line, quantity: 1 }] })
      await ask("POST", `${at}/outbound/items`, { items: [{ variant_id: other, quantity: 1 }] })
      const made = (await ask("POST", `${at}/request`, {})).return.id
      await ask("POST", `/returns/${made}/receive`, {})
      await ask("POST", `/returns/${made}/receive-items`, { items: [{ id: line, quantity: 1 }] })
      await ask("POST", `/returns/${made}/receive/confirm`, {})
      return { ...sold, line: (await read(id)).items.find((one: Data) => one.id !== line).id }
    },
    cancel: ({ id }: Sold) => ask("POST", `/orders/${id}/cancel`, {}),
    complete: ({ id }: Sold) => ask("POST", `/orders/${id}/complete`, {}),
    moved: async ({ id }: Sold): Promise<{ readonly updatedAt: string; readonly state: string }> => {
      const { status, updated_at } = await read(id)
      return { updatedAt: updated_at, state: status }
    }
  }
}

/** Started, furnished, and gone with its database once it is stopped. */
export const medusa = async (folder: string) => {
  packages(folder, VERSIONS)
  writeFileSync(join(folder, "medusa-config.js"), CONFIGURATION)
  const database = await postgres()
  if (typeof database === "string") throw new Error(database)
  const { Client } = (await import("pg")).default
  const client = new Client({ connectionString: `${database.url}/postgres` })
  await client.connect()
  await client.query("CREATE DATABASE medusa")
  await client.end()
  const env = {
    ...process.env,
    DATABASE_URL: `${database.url}/medusa`,
    MEDUSA_DISABLE_TELEMETRY: "true"
  }
  const program = join(folder, "node_modules", ".bin", "medusa")
  // Not waited for in one go: the database's words are to be read meanwhile, or it waits for that.
  const run = async (...args: ReadonlyArray<string>) => {
    console.log(`medusa ${args[0]}`)
    const { status, stderr, stdout } = await spawned([program, ...args], { cwd: folder, env })
    if (status !== 0) throw new Error(`medusa ${args[0]}: ${stdout}${stderr}`)
  }
  await run("db:migrate")
  await run("user", "-e", ADMIN.email, "-p", ADMIN.password)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = [program, "start", "--port", String(port), "--host", "127.0.0.1"]
  const { child, said } = start(process.execPath, args, { cwd: folder, env }, "SIGTERM")
  const ask = asking(url)
  await ready(child, said, async () => {
    if (!(await fetch(`${url}/health`)).ok) throw new Error("it is not ready")
  })
  const { token } = await ask("POST", "/auth/user/emailpass", ADMIN, {})
  const admin: Ask = (method, path, body) => ask(method, `/admin${path}`, body, { authorization: `Bearer ${token}` })
  const furniture = await furnish(admin)
  const { api_key: key } = await admin("POST", "/api-keys", { title: "Daybook", type: "secret" })
  const store: Ask = (method, path, body) =>
    ask(method, `/store${path}`, body, { "x-publishable-api-key": furniture.store })
  const stop = async () => {
    child.kill()
    await database.stop()
  }
  return { url, key: String(key.token), clerk: clerk(admin, buyer(store, furniture), furniture), stop }
}

/** A real Vendure, started from its packages, with one product, and what its clerk does over the Admin API. */
import { fileURLToPath } from "node:url"
import { freePort, start } from "../support/Servers.ts"
import { packages, ready } from "./Live.ts"

const VERSIONS = { "@vendure/core": "3.7.3", "sql.js": "1.14.1" }
const SERVER = fileURLToPath(new URL("vendors/vendure.js", import.meta.url))

// biome-ignore lint/suspicious/noExplicitAny: what a question is answered with
type Data = any

export interface Sold {
  readonly id: string
  readonly code: string
  readonly total: number
  /** Of its only line. */
  readonly line: string
}

/** What an order is asked for, to see what moves it. */
const MOVED = "query($id: ID!) { order(id: $id) { updatedAt state } }"

const asking = (url: string) => {
  let token: string | undefined
  const ask = async (query: string, variables: object = {}): Promise<Data> => {
    const headers = {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    }
    const answer = await fetch(`${url}/admin-api`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query, variables })
    })
    token = answer.headers.get("vendure-auth-token") ?? token
    const { data, errors } = (await answer.json()) as Data
    if (errors !== undefined) throw new Error(`${query}: ${JSON.stringify(errors)}`)
    const [value] = Object.values<Data>(data)
    if (value?.errorCode !== undefined) throw new Error(`${query}: ${JSON.stringify(value)}`)
    return value
  }
  return ask
}

type Ask = ReturnType<typeof asking>

const REFUSED = "... on ErrorResult { errorCode message }"

/** A country, taxes, delivery for 6.00, a way to pay, and a product for 20.00, all with tax. Answers the product's two variants. */
const furnish = async (ask: Ask): Promise<ReadonlyArray<string>> => {
  const named = (name: string, more: object = {}) => [{ languageCode: "en", name, ...more }]
  const country = await ask("mutation($input: CreateCountryInput!) { createCountry(input: $input) { id } }", {
    input: { code: "AT", enabled: true, translations: named("Austria") }
  })
  const zone = await ask("mutation($input: CreateZoneInput!) { createZone(input: $input) { id } }", {
    input: { name: "Home", memberIds: [country.id] }
  })
  const category = await ask('mutation { createTaxCategory(input: { name: "Goods", isDefault: true }) { id } }')
  await ask("mutation($input: CreateTaxRateInput!) { createTaxRate(input: $input) { id } }", {
    input: { name: "20", enabled: true, value: 20, categoryId: category.id, zoneId: zone.id }
  })
  const { items } = await ask("query { channels { items { id } } }")
  await ask(
    `mutation($input: UpdateChannelInput!) { updateChannel(input: $input) { ... on Channel { id } ${REFUSED} } }`,
    {
      input: {
        id: items[0].id,
        pricesIncludeTax: true,
        defaultCurrencyCode: "EUR",
        availableCurrencyCodes: ["EUR"],
        defaultTaxZoneId: zone.id,
        defaultShippingZoneId: zone.id
      }
    }
  )
  const args = (values: object) => Object.entries(values).map(([name, value]) => ({ name, value: String(value) }))
  await ask("mutation($input: CreateShippingMethodInput!) { createShippingMethod(input: $input) { id } }", {
    input: {
      code: "parcel",
      fulfillmentHandler: "manual-fulfillment",
      checker: { code: "default-shipping-eligibility-checker", arguments: args({ orderMinimum: 0 }) },
      calculator: {
        code: "default-shipping-calculator",
        arguments: args({ rate: 600, includesTax: "include", taxRate: 20 })
      },
      translations: named("Parcel", { description: "" })
    }
  })
  for (const code of ["invoice", "card"])
    await ask("mutation($input: CreatePaymentMethodInput!) { createPaymentMethod(input: $input) { id } }", {
      input: {
        code,
        enabled: true,
        handler: { code: "invoice", arguments: [] },
        translations: named(code, { description: "" })
      }
    })
  const products = []
  for (const name of ["Tea", "Coffee"])
    products.push(
      await ask("mutation($input: CreateProductInput!) { createProduct(input: $input) { id } }", {
        input: { translations: named(name, { slug: name.toLowerCase(), description: "" }) }
      })
    )
  const variants = await ask(
    "mutation($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }",
    {
      input: products.map(({ id: productId }, n) => ({
        productId,
        sku: `T-${n + 1}`,
        price: 2000,
        stockOnHand: 1000,
        taxCategoryId: category.id,
        translations: named(`Variant ${n + 1}`)
      }))
    }
  )
  return variants.map(({ id }: Data) => id)
}

/** A key that may read orders, and nothing else. */
const keyOf = async (ask: Ask): Promise<string> => {
  const role = await ask("mutation($input: CreateRoleInput!) { createRole(input: $input) { id } }", {
    input: { code: "daybook", description: "Daybook", permissions: ["ReadOrder", "ReadCustomer"] }
  })
  const { administrator } = await ask("query { me: activeAdministrator { id user { roles { id } } } }").then(
    (me: Data) => ({
      administrator: me
    })
  )
  const roleIds = [...administrator.user.roles.map(({ id }: Data) => id), role.id]
  await ask("mutation($input: UpdateAdministratorInput!) { updateAdministrator(input: $input) { id } }", {
    input: { id: administrator.id, roleIds }
  })
  const made = await ask("mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey } }", {
    input: { roleIds: [role.id], translations: [{ languageCode: "en", name: "Daybook" }] }
  })
  return made.apiKey
}

const clerk = (ask: Ask, [variant, another]: ReadonlyArray<string>) => {
  const ORDER = `... on Order { id code state totalWithTax lines { id } payments { id } } ${REFUSED}`
  /** By order and method. */
  const payments = new Map<string, string>()
  const goesTo = (id: string, state: string) =>
    ask(`mutation($id: ID!, $state: String!) { transitionOrderToState(id: $id, state: $state) { ${ORDER} } }`, {
      id,
      state
    })
  /** Answers the line of the product that was added. */
  const modified = async ({ id, line }: Sold, input: object): Promise<string> => {
    await goesTo(id, "Modifying")
    const { lines } = await ask(`mutation($input: ModifyOrderInput!) { modifyOrder(input: $input) { ${ORDER} } }`, {
      input: { dryRun: false, orderId: id, ...input }
    })
    return lines.find((one: Data) => one.id !== line)?.id
  }
  const paid = async (id: string, method: string, transactionId: string) => {
    const { payments: all } = await ask(
      `mutation($input: ManualPaymentInput!) { addManualPaymentToOrder(input: $input) { ${ORDER} } }`,
      { input: { orderId: id, method, transactionId, metadata: {} } }
    )
    const known = [...payments.values()]
    payments.set(
      `${id} ${method}`,
      payments.get(`${id} ${method}`) ?? all.find((one: Data) => !known.includes(one.id)).id
    )
  }
  return {
    /** Ordered, and paid with what `pay` answers: it is given the order's code and total. */
    sell: async (quantity: number, pay: (code: string, total: number) => Promise<string>): Promise<Sold> => {
      const { id } = await ask(`mutation { createDraftOrder { id } }`)
      const on = (what: string, types: string, variables: object) =>
        ask(`mutation($id: ID!, ${types}) { ${what} }`, { id, ...variables })
      await on(`addItemToDraftOrder(orderId: $id, input: $input) { ${ORDER} }`, "$input: AddItemToDraftOrderInput!", {
        input: { productVariantId: variant, quantity }
      })
      await on(
        `setCustomerForDraftOrder(orderId: $id, input: $input) { ... on Order { id } ${REFUSED} }`,
        "$input: CreateCustomerInput!",
        { input: { firstName: "Ann", lastName: "Mill", emailAddress: `ann${id}@example.com` } }
      )
      const input = {
        fullName: "Ann Mill",
        company: "Bakery Ltd",
        streetLine1: "1 Quay",
        city: "Wien",
        postalCode: "1010",
        countryCode: "AT"
      }
      await on("setDraftOrderShippingAddress(orderId: $id, input: $input) { id }", "$input: CreateAddressInput!", {
        input
      })
      await on("setDraftOrderBillingAddress(orderId: $id, input: $input) { id }", "$input: CreateAddressInput!", {
        input
      })
      const [method] = await ask("query($id: ID!) { eligibleShippingMethodsForDraftOrder(orderId: $id) { id } }", {
        id
      })
      await on(`setDraftOrderShippingMethod(orderId: $id, shippingMethodId: $method) { ${ORDER} }`, "$method: ID!", {
        method: method.id
      })
      const { code, lines, totalWithTax } = await ask(
        `mutation($id: ID!) { transitionOrderToState(id: $id, state: "ArrangingPayment") { ${ORDER} } }`,
        { id }
      )
      const transactionId = await pay(code, totalWithTax)
      const before: Data = await ask(MOVED, { id })
      await new Promise((resolve) => setTimeout(resolve, 1100))
      await paid(id, "invoice", transactionId)
      const after: Data = await ask(MOVED, { id })
      console.log(`${code} is placed: updatedAt ${before.updatedAt === after.updatedAt ? "did not move" : "moved"}`)
      return { id, code, total: totalWithTax, line: lines[0].id }
    },
    ship: async ({ line }: Sold, quantity: number) => {
      const parcel = await ask(
        `mutation($input: FulfillOrderInput!) { addFulfillmentToOrder(input: $input) { ... on Fulfillment { id } ${REFUSED} } }`,
        {
          input: {
            lines: [{ orderLineId: line, quantity }],
            handler: {
              code: "manual-fulfillment",
              arguments: [
                { name: "method", value: "DHL" },
                { name: "trackingCode", value: "JD01" }
              ]
            }
          }
        }
      )
      await ask(
        `mutation($id: ID!) { transitionFulfillmentToState(id: $id, state: "Shipped") { ... on Fulfillment { id } ${REFUSED} } }`,
        { id: parcel.id }
      )
    },
    /** Takes pieces off it; all that is left of it, delivery and all, where no number is given. */
    cancel: ({ id, line }: Sold, quantity?: number) =>
      ask(`mutation($input: CancelOrderInput!) { cancelOrder(input: $input) { ${ORDER} } }`, {
        input:
          quantity === undefined
            ? { orderId: id, cancelShipping: true, reason: "" }
            : { orderId: id, lines: [{ orderLineId: line, quantity }], reason: "" }
      }),
    refund: async ({ id }: Sold, amount: number, method = "invoice"): Promise<string> => {
      const paymentId = payments.get(`${id} ${method}`)
      const refund = await ask(
        `mutation($input: RefundOrderInput!) { refundOrder(input: $input) { ... on Refund { id state } ${REFUSED} } }`,
        { input: { paymentId, amount, reason: "", lines: [], shipping: 0, adjustment: 0 } }
      )
      return refund.id
    },
    settle: (id: string) =>
      ask(`mutation($input: SettleRefundInput!) { settleRefund(input: $input) { ... on Refund { id } ${REFUSED} } }`, {
        input: { id, transactionId: "by hand" }
      }),
    /** Lowers the line to so many pieces, and gives that much back, in one modification. */
    lower: async (order: Sold, quantity: number, amount: number) => {
      await modified(order, {
        adjustOrderLines: [{ orderLineId: order.line, quantity }],
        refunds: [{ paymentId: payments.get(`${order.id} invoice`), amount }]
      })
      await goesTo(order.id, "PaymentSettled")
    },
    /** Lowers the line to so many pieces, and adds another one for the same price. Answers the order with that one as its line. */
    swap: async (order: Sold, quantity: number): Promise<Sold> => {
      const line = await modified(order, {
        adjustOrderLines: [{ orderLineId: order.line, quantity }],
        addItems: [{ productVariantId: another, quantity: 1 }]
      })
      await goesTo(order.id, "PaymentSettled")
      return { ...order, line }
    },
    /** Adds one that is paid by this method. Answers the order with that one as its line. */
    raise: async (order: Sold, method: string, transaction: string): Promise<Sold> => {
      const line = await modified(order, { addItems: [{ productVariantId: another, quantity: 1 }] })
      await goesTo(order.id, "ArrangingAdditionalPayment")
      await paid(order.id, method, transaction)
      return { ...order, line }
    },
    moved: ({ id }: Sold): Promise<{ readonly updatedAt: string; readonly state: string }> => ask(MOVED, { id })
  }
}

/** Started, furnished, and gone with its process. */
export const vendure = async (folder: string) => {
  packages(folder, VERSIONS)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { child, said } = start(process.execPath, [SERVER, folder, String(port)], { cwd: folder }, "SIGTERM")
  const ask = asking(url)
  const alive = async () => {
    if (!(await fetch(`${url}/health`)).ok) throw new Error("it is not ready")
  }
  await ready(child, said, alive)
  await ask(
    `mutation { login(username: "superadmin", password: "superadmin") { ... on CurrentUser { id } ${REFUSED} } }`
  )
  const variants = await furnish(ask)
  return { url, key: await keyOf(ask), clerk: clerk(ask, variants), stop: () => child.kill() }
}

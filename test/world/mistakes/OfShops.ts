/** What was found about orders of shops, and brings it back. */
import { change, type Finding, finding } from "./Mistake.ts"

const BIGCOMMERCE = "connectors/bigcommerce/Mapping.ts"
const MAGENTO = "connectors/adobecommerce/Mapping.ts"
const SHOPIFY = "connectors/shopify/Mapping.ts"
const WOOCOMMERCE = "connectors/woocommerce/Mapping.ts"

export const OF_SHOPS: ReadonlyArray<Finding> = [
  finding(
    "apis 6",
    "goods that are swapped leave the order at what it was",
    [change(SHOPIFY, 'there("currentTotalPriceSet")', 'there("originalTotalPriceSet")')],
    "kind shopify",
    ["swap"]
  ),
  finding(
    "apis 10, shopify-store-credit",
    "what is paid by gift card is deferred",
    [
      change(
        SHOPIFY,
        '["gift_card", "shopify_store_credit", "exchange-credit"].includes(gateway)',
        '["exchange-credit"].includes(gateway)'
      )
    ],
    "kind shopify",
    ["sale, partly by gift card"]
  ),
  finding(
    "apis 6b, shopify-refund-to-store-credit",
    "what is given back as store credit is paid back as well",
    [
      change(
        SHOPIFY,
        '[{ method: transaction.maybe("gateway") ?? "",',
        '[{ method: direction === "given" ? "manual" : (transaction.maybe("gateway") ?? ""),'
      )
    ],
    "kind shopify",
    ["return for store credit"]
  ),
  finding(
    "apis 6a, woocommerce-zero-refund",
    "a refund of 0.00 gives back what its goods cost",
    [
      change(
        WOOCOMMERCE,
        'Decimal.sum(one.list("returns").map((refund) => Decimal.abs(Shop.money(refund, "amount", currency))))',
        `Decimal.sum(
    one.list("returns").map((refund) => {
      const own = Decimal.abs(Shop.money(refund, "amount", currency))
      const goods = refundOf(refund, read.clock).lines.map(({ line, quantity }) => {
        const its = document.lines.find(({ id }) => id === line)
        return its === undefined ? 0n : Decimal.divide(Decimal.multiply(its.gross, quantity), its.quantity)
      })
      return own > 0n ? own : Decimal.sum(goods)
    })
  )`
      )
    ],
    "kind woocommerce",
    ["return for nothing"]
  ),
  finding(
    "reality R14",
    "a unit that is refunded takes its share of the delivery with it",
    [
      change(
        WOOCOMMERCE,
        "own: { given, ",
        "own: { given: Decimal.divide(Decimal.multiply(given, total), Decimal.sum(Shop.productsOf(document.lines).map(({ gross }) => gross)), 2), "
      )
    ],
    "kind woocommerce",
    ["cancel"]
  ),
  finding(
    "apis 18, woocommerce-failed",
    "an order that failed is open",
    [change(WOOCOMMERCE, '  failed: "cancelled",\n', '  failed: "open",\n')],
    "kind woocommerce",
    ["failed"]
  ),
  finding(
    "apis 11",
    "a price with four decimals cannot be read",
    [
      change(
        WOOCOMMERCE,
        'Shop.money(fields, "total", currency) + Shop.money(fields, "total_tax", currency)',
        'fields.major("total", currency) + Shop.money(fields, "total_tax", currency)'
      )
    ],
    "decimals 4"
  ),
  finding(
    "apis 10, bigcommerce-gift-certificate",
    "what a gift certificate paid is deferred",
    [change(BIGCOMMERCE, ' + money(fields, "gift_certificate_amount", currency)', "")],
    "kind bigcommerce",
    ["sale, partly by gift card"]
  ),
  finding(
    "apis 9",
    "a refund says that nothing left",
    [change(BIGCOMMERCE, "(isRefunded && wasMarked(fields, parcels))", "(isRefunded && parcels.length < 0)")],
    "kind bigcommerce",
    ["complete"]
  ),
  finding(
    "apis 6b",
    "what BigCommerce gives back as store credit is paid back as well",
    [change(BIGCOMMERCE, 'const CREDIT = ["storecredit", "giftcertificate"]', 'const CREDIT = ["giftcertificate"]')],
    "kind bigcommerce",
    ["return for store credit"]
  ),
  finding(
    "apis 5, reality R5",
    "what Magento calls complete left whole",
    [
      change(MAGENTO, "isDone && isVirtual(item) ?", "isDone ?"),
      change(
        MAGENTO,
        '(capture === "invoice" || isVirtual(item))',
        '(capture === "invoice" || isDone || isVirtual(item))'
      ),
      change(MAGENTO, "quantity: ordered > off ? ordered - off : 0n", "quantity: ordered + 0n * off"),
      change(MAGENTO, 'money(fields, "total_canceled")', '0n * money(fields, "total_canceled")')
    ],
    "kind magento",
    ["cancel rest"]
  ),
  finding(
    "apis 5, adobecommerce-mixed",
    "what needs no shipment never leaves",
    [change(MAGENTO, '(capture === "invoice" || isVirtual(item))', 'capture === "invoice"')],
    "kind magento"
  ),
  finding(
    "apis 6a, adobecommerce-zero-memo",
    "a credit memo of 0.00 gives back what its goods cost",
    [
      change(
        MAGENTO,
        ': money(fields, "total_refunded")',
        `: Decimal.sum(
        fields.list("memos").map((memo) => {
          const goods = memo.list("items").map((item) => money(item, "row_total_incl_tax"))
          return money(memo, "grand_total") > 0n ? money(memo, "grand_total") : Decimal.sum(goods)
        })
      )`
      )
    ],
    "kind magento",
    ["return for nothing"]
  ),
  finding(
    "reality R6, F7",
    "a discount before tax lowers no tax",
    [
      change(
        MAGENTO,
        '  return money(item, "row_total_incl_tax") - cost\n',
        '  return money(item, "discount_amount") + 0n * cost\n'
      )
    ],
    "kind magento"
  ),
  finding(
    "reality R7, F4",
    "an order with another's identifier is the service's",
    [
      change("sync/rules/OrderScope.ts", "const OURS = /^(defpay|order)-/", "const OURS = /^/"),
      change(WOOCOMMERCE, "/^(defpay|order)-/.test(transaction)", 'transaction !== ""')
    ],
    "kind woocommerce",
    ["an order paid by card"]
  ),
  finding(
    "reality R8, F5",
    "what the shop's plugin captured is asked for",
    [change("sync/rules/OrderWatch.ts", "due - (captured - refunded)", "due + 0n * (captured - refunded)")],
    "plugin true"
  )
]

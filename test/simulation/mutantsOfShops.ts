/** Mistakes in what becomes of shops: goods that are taken off, money that is given back, and what moves no order. */
import type { UnitMutant } from "./unitMutants.ts"

const COMMON = "test/connectors/contract/shop.test.ts"
const XERO = "test/connectors/xero/vendor.long.test.ts"
const ODOO = "test/connectors/odoosales/odoosales.test.ts"
const EXCHANGES = "test/connectors/odoosales/exchanges.test.ts"
const EVERY = "test/connectors/shops/everyShop.test.ts"
const LOWERED = "test/sync/rules/OrderLowered.test.ts"
const WOO = "test/connectors/shops/woocommerce.test.ts"
const UNCHANGED = "test/connectors/rest/unchanged.long.test.ts"
const VENDURE = "test/connectors/vendure/vendure.test.ts"
const MEDUSA = "test/connectors/medusa/medusa.test.ts"

export const SHOPS: ReadonlyArray<UnitMutant> = [
  {
    name: "what rounding leaves of an order of which everything came back is charged",
    caughtBy: ["test/sync/rules/Orders.test.ts", "where everything that left came back, no minor unit stays charged"],
    changes: [
      {
        file: "sync/rules/OrderOwed.ts",
        from: "staysNothing(its, reading) && hasStill(its, reading) ? owe : still",
        to: "staysNothing(its, reading) && hasStill(its, reading) ? still : still"
      }
    ]
  },
  {
    name: "a time that belongs in a header is not sent, so that everything is read each time",
    caughtBy: [XERO, "allows what is asked for changes and by id"],
    changes: [
      { file: "connectors/rest/Reading.ts", from: "isHeader ? Http.texts(changes) : {}", to: "isHeader ? {} : {}" }
    ]
  },
  {
    name: "a list that is looked through reaches no further back than its mark",
    caughtBy: [VENDURE, "finds a refund that moves no order"],
    changes: [
      { file: "connectors/rest/Changes.ts", from: "(d.overlapSeconds + (look?.back ?? 0))", to: "d.overlapSeconds" }
    ]
  },
  {
    name: "every record of a list that is looked through is read again",
    caughtBy: [MEDUSA, "finds a refund that moves no order, and reads no other again"],
    changes: [
      {
        file: "connectors/rest/Changes.ts",
        from: "if (look === undefined || mark === undefined) return records",
        to: "if (look === undefined || mark !== 0) return records"
      }
    ]
  },
  {
    name: "an order of Vendure that was placed long after its cart changed is not found",
    caughtBy: [VENDURE, "finds an order whose time is that of its cart"],
    changes: [
      { file: "connectors/vendure/Question.ts", from: 'return [order.text("orderPlacedAt"), ...', to: "return [..." }
    ]
  },
  {
    name: "a record that is missing from an answer for many ids counts as deleted without being asked for",
    caughtBy: ["test/connectors/odoo/odoo.test.ts", "by itself for one that is missing"],
    changes: [
      {
        file: "connectors/rest/Again.ts",
        from: "Effect.succeed({ id, record: there.get(id) }) : one(id)",
        to: "Effect.succeed({ id, record: there.get(id) }) : Effect.succeed({ id, record: undefined })"
      }
    ]
  },
  {
    name: "a refund that was made after all refunds were listed is not asked for",
    caughtBy: [WOO, "asks for those of an order that names one which the list does not have"],
    changes: [
      {
        file: "connectors/rest/Joined.ts",
        from: "named.every((one) => there.has(Json.nameAt(one, path))) ? found : undefined",
        to: "named.length >= 0 ? found : undefined"
      }
    ]
  },
  {
    name: "a refund that was made since its order was read is not listed again",
    caughtBy: [WOO, "is asked once for the refunds of an order that changed"],
    changes: [{ file: "connectors/rest/Reading.ts", from: "(state.marks[target.name] ?? began)", to: "began" }]
  },
  {
    name: "a list that is shorter than it was is left out, so that a deletion is never seen",
    caughtBy: [UNCHANGED, "left out where nothing changed, and read again where it is shorter"],
    changes: [
      {
        file: "connectors/rest/Unchanged.ts",
        from: 'if (totalOf(root, answer) !== lengths[part ?? ""]) return undefined',
        to: "if (totalOf(root, answer) === undefined) return undefined"
      }
    ]
  },
  {
    name: "a list in which one record came for another is left out",
    caughtBy: [UNCHANGED, "one was deleted and another one came"],
    changes: [
      {
        file: "connectors/rest/Unchanged.ts",
        from: "changed.records.length > 0 || ",
        to: ""
      }
    ]
  },
  {
    name: "a list is left out although a record of it could not be read, and what was deleted stays in the books",
    caughtBy: [UNCHANGED, "as long as a record could not be read"],
    changes: [
      { file: "connectors/rest/Unchanged.ts", from: "if (isReadable) done", to: "if (isReadable || at > 0) done" }
    ]
  },
  {
    name: "goods that a customer of Odoo exchanges are refunded",
    caughtBy: [ODOO, "have returns only of goods that are refunded"],
    changes: [{ file: "connectors/odoosales/Mapping.ts", from: ' && move.get("to_refund") === true', to: "" }]
  },
  {
    name: "goods that come back to Odoo take their share of the delivery with them",
    caughtBy: ["test/connectors/shops/everyShop.test.ts", "Odoo"],
    changes: [
      {
        file: "connectors/odoosales/Mapping.ts",
        from: "const its = { order: id, date: at.date, currency, lines, amount }",
        to: "const its = { order: id, date: at.date, currency, lines, ...(amount < 0n ? { amount } : {}) }"
      }
    ]
  },
  {
    name: "goods that come back to Odoo leave the discount to what stays",
    caughtBy: ["test/conformance/connectors.long.test.ts", "makes the golden documents"],
    changes: [
      {
        file: "connectors/odoosales/Mapping.ts",
        from: "Decimal.multiply(price, all + off)",
        to: "Decimal.multiply(price, all)"
      }
    ]
  },
  {
    name: "a replacement of Odoo that waits is given up",
    caughtBy: [EXCHANGES, "is charged whole, while its replacement waits"],
    changes: [
      {
        file: "connectors/odoosales/Mapping.ts",
        from: "Decimal.min(returned, ordered - stays - coming)",
        to: "Decimal.min(returned, ordered - stays)"
      }
    ]
  },
  {
    name: "a replacement of Odoo is given up while it is picked",
    caughtBy: [EXCHANGES, "keeps it while the replacement is picked"],
    changes: [{ file: "connectors/odoosales/Mapping.ts", from: "(isOut(move) || isOnItsWay(move))", to: "isOut(move)" }]
  },
  {
    name: "a replacement of Odoo stands for goods that are still here",
    caughtBy: [EXCHANGES, "is charged for what left, while another one is still here"],
    changes: [
      {
        file: "connectors/odoosales/Mapping.ts",
        from: "Decimal.min(out - returned, ordered - waits)",
        to: "Decimal.min(out - returned, ordered)"
      }
    ]
  },
  {
    name: "an order of Odoo that is lowered stays charged",
    caughtBy: [EXCHANGES, "gives back what its lower total says"],
    changes: [
      {
        file: "connectors/odoosales/Mapping.ts",
        from: 'totals: { now: Shop.stated(fields, "amount_total", currency) },',
        to: ""
      }
    ]
  },
  {
    name: "BigCommerce's refund before the first shipment asks a person",
    caughtBy: ["test/connectors/bigcommerce/bigcommerce.test.ts", "counts a download as left once it is paid"],
    changes: [
      {
        file: "connectors/bigcommerce/Mapping.ts",
        from: "line: one.line, asBefore: true, back",
        to: "line: one.line, back"
      }
    ]
  },
  {
    name: "a fee that a shop keeps of a cancelled order is voided",
    caughtBy: [EVERY, "WooCommerce"],
    changes: [
      {
        file: "sync/rules/OrderOwed.ts",
        from: "its.own.received !== undefined && given > 0n",
        to: "its.own.received === undefined && given > 0n"
      }
    ]
  },
  {
    name: "a fee that a person says is charged stays open",
    caughtBy: ["test/connectors/shops/endedInPart.test.ts", "is charged where a person says so"],
    changes: [
      {
        file: "sync/rules/OrderAccount.ts",
        from: "this.#owed = { ...this.#owed, owe: this.#kept }",
        to: "this.#owed = { ...this.#owed }"
      }
    ]
  },
  {
    name: "what is invoiced again in Odoo is given back",
    caughtBy: [EXCHANGES, "is charged whole, if what was credited is invoiced again"],
    changes: [
      {
        file: "connectors/odoosales/Invoiced.ts",
        from: "absolute(amount) - take(amounts, ",
        to: "absolute(amount) - take(new Map(), "
      }
    ]
  },
  {
    name: "a discount that Odoo credits hides what is credited later",
    caughtBy: [EXCHANGES, "gives back discounts that are credited"],
    changes: [
      { file: "connectors/odoosales/Invoiced.ts", from: "back.length === 0 && amount === 0n", to: "back.length === 0" }
    ]
  },
  {
    name: "an order that is cancelled by its status alone is charged",
    caughtBy: [EVERY, "WooCommerce"],
    changes: [
      {
        file: "sync/rules/OrderOwed.ts",
        from: "if (out === 0n && units === 0n && its",
        to: "if (out === 0n && its"
      }
    ]
  },
  {
    name: "an order that is lowered once it was paid differs for ever",
    caughtBy: [LOWERED, "is explained by what it was paid with"],
    changes: [{ file: "sync/rules/OrderComparison.ts", from: "stated + atLeastZero(paid - received)", to: "stated" }]
  },
  {
    name: "what is refunded without the shop's word agrees",
    caughtBy: [LOWERED, "is not explained by a payment that stays"],
    changes: [
      {
        file: "sync/rules/OrderComparison.ts",
        from: "stated + atLeastZero(paid - received)",
        to: "stated + paid"
      }
    ]
  },
  {
    name: "an order of Odoo is not read again when only its transfers change",
    caughtBy: [ODOO, "by the times of all that belongs to them"],
    changes: [{ file: "connectors/odoosales/OdooSales.ts", from: '"picking_ids.write_date", ', to: "" }]
  },
  {
    name: "a shop's amount that is finer than its currency is cut off instead of rounded",
    caughtBy: [COMMON, "rounds an amount that is finer than its currency"],
    changes: [
      {
        file: "connectors/Shop.ts",
        from: "fraction.slice(0, PLACES)",
        to: "fraction.slice(0, Currency.decimals(currency))"
      }
    ]
  }
]

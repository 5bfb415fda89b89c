/** Plays the life of a shop's orders: goods go and come, somebody runs Daybook now and then, the judge looks. */
import type { Config } from "../../sync/library/Daybook.ts"
import { Checkout, type Payment } from "./Checkout.ts"
import { OrderJudge } from "./judge/OrderJudge.ts"
import type { Played } from "./Life.ts"
import { Plugin } from "./Plugin.ts"
import type { Said } from "./Product.ts"
import { OWNER, QUIET, Stage } from "./Stage.ts"
import type { Order } from "./truth/Order.ts"
import type { ShopPlan, ShopStyle, ShopWorld } from "./truth/Storekeeper.ts"
import { type Day, iso } from "./Values.ts"
import { BigCommerce } from "./views/BigCommerce.ts"
import { Magento } from "./views/Magento.ts"
import { Shopify } from "./views/Shopify.ts"
import { ShopTables } from "./views/ShopTables.ts"
import type { Kept, ShopView } from "./views/ShopView.ts"
import { WooCommerce } from "./views/WooCommerce.ts"

const VIEWS: Readonly<Record<ShopStyle["kind"], (kept: Kept, style: ShopStyle) => ShopView>> = {
  shopify: (kept) => new Shopify(kept),
  magento: (kept, { plugin }) => new Magento(kept, plugin === true),
  woocommerce: (kept, style) => new WooCommerce(kept, style),
  bigcommerce: (kept) => new BigCommerce(kept),
  files: (kept) => new ShopTables(kept)
}

class ShopLife {
  readonly #plan: ShopPlan
  readonly #world: ShopWorld = { orders: new Map<string, Order>(), others: [], lost: new Set(), faults: [] }
  readonly #payments = new Map<string, string>()
  readonly #view: ShopView
  readonly #judge: OrderJudge
  readonly #story: Array<Played["story"][number]> = []
  readonly #seen = new Set<string>()
  #today: Day = 0

  constructor(plan: ShopPlan) {
    this.#plan = plan
    const kept: Kept = { orders: this.#world.orders, others: this.#world.others, payments: this.#payments }
    this.#view = VIEWS[plan.style.kind](kept, plan.style)
    this.#judge = new OrderJudge(this.#world.orders)
  }

  async play(without: ReadonlySet<string>): Promise<Played> {
    const stage = await Stage.open((asked) => this.#view.answers(asked, this.#today))
    const checkout = new Checkout(stage.service)
    const connection = {
      id: "shop",
      owner: OWNER,
      source: this.#view.source(stage.vendor.url),
      orders: { link: this.#view.link, ...(this.#plan.style.plugin === true ? { captures: "shop" } : {}) }
    }
    const config = { service: stage.configured, connections: [connection] } as unknown as Config
    const plugin = this.#plan.style.plugin === true ? new Plugin(stage.service, this.#world.lost) : undefined
    const left = this.#plan.happenings.filter(({ id }) => !without.has(id))
    const syncs = [
      ...this.#plan.syncs.filter((day) => !without.has(`sync.${day}`)),
      ...QUIET.map((after) => this.#plan.quiet + after)
    ]
    try {
      for (const day of syncs) {
        await stage.evening(day, this.#plan.style.zone)
        while (left[0] !== undefined && left[0].day <= day) {
          const { day: then, does, id, kind } = left.shift()!
          const what = does(this.#world)
          if (what !== undefined) this.#story.push({ id, day: then, kind, what })
        }
        this.#today = day
        await this.#checkout(checkout, day)
        if (plugin !== undefined) await this.#plugin(plugin, checkout)
        if (this.#view.files !== undefined) stage.product.files(this.#view.files())
        const said = await stage.amid(this.#world.faults, () => stage.product.sync(config))
        if (said.exit === 3) plugin?.isTold()
        await this.#look(day, said, checkout, stage)
      }
    } finally {
      await stage.close()
    }
    return { failures: this.#judge.failures, story: this.#story, questions: new Map() }
  }

  /** Buyers accept plans for what was sold since. */
  async #checkout(checkout: Checkout, day: Day): Promise<void> {
    for (const [number, order] of this.#world.orders)
      if (!this.#payments.has(number))
        this.#payments.set(
          number,
          await checkout.accept(number, order.placed + this.#plan.cent, iso(Math.min(day, order.placing.day)))
        )
  }

  async #plugin(plugin: Plugin, checkout: Checkout): Promise<void> {
    for (const [number, id] of this.#payments)
      await plugin.follows(this.#world.orders.get(number)!, id, await checkout.read(id))
  }

  async #look(day: Day, said: Said, checkout: Checkout, { product }: Stage): Promise<void> {
    const payments = new Map<string, Payment>()
    for (const [number, id] of this.#payments) payments.set(number, await checkout.read(id))
    if (process.env["SHOW"] !== undefined)
      console.log(
        JSON.stringify({ day, said, payments: [...payments] }, (_, v) => (typeof v === "bigint" ? `${v}` : v), 1)
      )
    this.#judge.look(day, said, payments)
    const ended =
      said.exit === 0
        ? "everything agrees"
        : said.exit === 3
          ? `${said.attention.length} to look at`
          : `fails: ${said.error}`
    const sums = [...payments].map(
      ([number, { captured, refunded, voided }]) =>
        `${number} ${captured} captured, ${refunded} refunded, ${voided} voided`
    )
    this.#story.push({ id: `sync.${day}`, day, kind: "sync", what: `Daybook runs: ${ended} (${sums.join("; ")})` })
    if (day === this.#plan.quiet + QUIET.at(-1)!) return this.#judge.end(said, payments)
    // What is asked is read and thought about first, then said to be all right.
    for (const item of said.attention) {
      const name = `${item.subject} ${item.fact} ${item.rule}`
      if (!this.#seen.has(name)) this.#seen.add(name)
      else {
        this.#judge.answered(item)
        await (item.refused ? product.retry(item.id) : product.resolve(item.id))
      }
    }
  }
}

export const playShop = (plan: ShopPlan, without: ReadonlySet<string> = new Set()): Promise<Played> =>
  new ShopLife(plan).play(without)

/**
 * What is needed to let something happen to an order by chance: what of its goods is where, and facts that are possible.
 */
import type { Dice } from "../simulation/Dice.ts"
import type { Fact, Goods, Kind } from "./Books.ts"
import type { Life } from "./Life.ts"
import type { Model } from "./Model.ts"

export interface Move {
  readonly name: string
  /** The item of the issue that it comes from; nothing for what shops do every day. */
  readonly item?: string
  /** How often it is drawn beside the others. */
  readonly weight: number
  /** Answers false where it cannot happen now. */
  readonly act: (life: Life, dice: Dice) => boolean | Promise<boolean>
}

export const some = (from: ReadonlyArray<readonly [string, number]>, dice: Dice): Goods | undefined => {
  const chosen = dice.of(from)
  if (chosen === undefined) return undefined
  const [line, most] = chosen
  return { [line]: 1 + dice.below(most) }
}

const canBePartly = ({ desk }: Life): boolean => desk.front.can.partly

/** What is in the warehouse, as far as the shop can say that this happened to it. */
export const hereFor = (kind: Kind, life: Life, { here }: Pick<Model, "here"> = life.warehouse) => {
  const left = new Set(life.warehouse.there.map(([line]) => line))
  return kind === "cancellation" && !canBePartly(life) ? here.filter(([line]) => !left.has(line)) : here
}

export const isOpen = ({ frozen, order }: Life) =>
  order.status === "open" && order.hidden !== true && frozen === undefined

/** The day of the latest fact, where it is known what of that day is about which goods. */
const sameDay = (kind: Kind, life: Life): { readonly day?: number } => {
  const latest = life.facts.at(-1)
  if (latest === undefined || life.odd || Object.keys(latest.goods).length === 0) return {}
  return kind === "return" && !canBePartly(life) ? {} : { day: latest.day }
}

export const happens =
  (kind: Kind, more: { readonly all?: boolean; readonly stated?: boolean } = {}): Move["act"] =>
  (life, dice) => {
    if (kind !== "return" && !isOpen(life)) return false
    // A shop that tells returns apart by what had left cannot know of goods whose parcel it lacks.
    if (kind === "return" && !canBePartly(life) && life.ahead.length > 0) return false
    const { warehouse } = life
    if (more.all === true && kind === "cancellation" && !canBePartly(life) && warehouse.there.length > 0) return false
    const goods = some(kind === "return" ? warehouse.there : hereFor(kind, life), dice)
    if (goods === undefined) return false
    const price = warehouse.price({ kind, goods })
    if (more.stated === true && price < 2) return false
    const amount = more.stated === true ? { amount: 1 + dice.below(price) } : {}
    const day = more.all === true || !dice.chance(0.4) ? {} : sameDay(kind, life)
    life.fact(kind, more.all === true ? {} : goods, { ...amount, ...day })
    return true
  }

export const newFact = (life: Life, dice: Dice, kind?: Kind): Fact | undefined =>
  dice.of(
    life.facts.filter(
      (fact) => life.taken.has(fact) && !life.strangers.has(fact) && (kind === undefined || fact.kind === kind)
    )
  )

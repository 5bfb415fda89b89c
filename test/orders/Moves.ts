/**
 * What can happen to an order, drawn by chance: what shops do every day, after which the service must say exactly what
 * is true and nobody be bothered; and what contradicts what was sent, after which no money may move further than is true.
 */
import type { Dice } from "../simulation/Dice.ts"
import { happens, isOpen, type Move, newFact } from "./Happens.ts"
import type { Life } from "./Life.ts"
import { SERVICE_MOVES } from "./ServiceMoves.ts"

export const MOVES: ReadonlyArray<Move> = [
  { name: "parcel", weight: 8, act: happens("parcel") },
  { name: "parcel without lines", weight: 2, act: happens("parcel", { all: true }) },
  { name: "cancellation", weight: 3, act: happens("cancellation") },
  { name: "cancellation with a stated amount", weight: 1, act: happens("cancellation", { stated: true }) },
  { name: "cancellation without lines", weight: 1, act: happens("cancellation", { all: true }) },
  { name: "return", weight: 4, act: happens("return") },
  { name: "return without lines", weight: 1, act: happens("return", { all: true }) },
  { name: "return with a stated amount", weight: 2, item: "4", act: happens("return", { stated: true }) },
  {
    name: "discount after the sale",
    weight: 1,
    act: (life) => {
      const { captured, refunded } = life.warehouse.sums
      if (captured - refunded < 100) return false
      life.fact("return", {}, { amount: 100 })
      return true
    }
  },
  {
    name: "closed or cancelled",
    weight: 2,
    act: (life, dice) => {
      if (!isOpen(life)) return false
      life.order.status = dice.chance(0.5) ? "closed" : "cancelled"
      life.say(`it is ${life.order.status}`)
      return true
    }
  },
  {
    name: "renamed",
    weight: 1,
    act: (life) => {
      if (!life.begun || life.order.number.endsWith("r")) return false
      life.order.number += "r"
      life.say(`its number is ${life.order.number}`)
      return true
    }
  },
  {
    name: "opened again, with a parcel",
    item: "1",
    weight: 1,
    act: (life, dice) => {
      if (!life.model.closed) return false
      if (dice.chance(0.5)) life.order.status = "open"
      // Where nothing is left, a parcel of all that is left cannot be said by naming it.
      const bare = dice.chance(0.5) && life.desk.front.can.bare.includes("parcel")
      life.fact("parcel", bare ? {} : { rug: 1 })
      return life.becomesOdd(`a parcel of an order that was voided, now ${life.order.status}`)
    }
  },
  {
    name: "edited to all that is left",
    item: "2",
    weight: 1,
    act: (life, dice) => {
      const fact = newFact(life, dice)
      if (fact === undefined || fact.amount !== undefined || Object.keys(fact.goods).length === 0) return false
      if (!life.desk.front.can.bare.includes("return")) return false
      fact.was = fact.goods
      fact.goods = {}
      return life.becomesOdd(`${fact.id} is edited to all that is left`)
    }
  },
  {
    name: "edited",
    item: "12",
    weight: 1,
    act: (life, dice) => {
      const fact = newFact(life, dice)
      const [[line, many] = []] = fact === undefined ? [] : Object.entries(fact.goods)
      if (fact === undefined || line === undefined || many! < 2) return false
      fact.goods = { [line]: many! - 1 }
      return life.becomesOdd(`${fact.id} is edited to ${many! - 1} ${line}`)
    }
  },
  {
    name: "under another key",
    item: "12",
    weight: 1,
    act: (life, dice) => {
      const fact = newFact(life, dice)
      if (fact === undefined || Object.keys(fact.goods).length === 0) return false
      fact.id += "k"
      life.taken.delete(fact)
      return life.becomesOdd(`it is called ${fact.id} now`)
    }
  },
  {
    name: "split",
    item: "12",
    weight: 1,
    act: (life, dice) => {
      const fact = newFact(life, dice)
      const [[line, many] = []] = fact === undefined ? [] : Object.entries(fact.goods)
      if (fact === undefined || fact.amount !== undefined || line === undefined || many! < 2) return false
      life.facts = life.facts.filter((one) => one !== fact)
      life.facts.push({ ...fact, id: `${fact.id}a`, goods: { [line]: 1 } })
      life.facts.push({ ...fact, id: `${fact.id}b`, goods: { [line]: many! - 1 } })
      return life.becomesOdd(`${fact.id} is split`)
    }
  },
  {
    name: "not in the books any more",
    item: "12",
    weight: 1,
    act: (life, dice) => {
      // The facts of an order that is not exported go with it.
      const fact = life.order.hidden === true ? undefined : newFact(life, dice)
      if (fact === undefined) return false
      life.facts = life.facts.filter((one) => one !== fact)
      return life.becomesOdd(`${fact.id} is gone`)
    }
  },
  {
    name: "moved to another order",
    item: "12",
    weight: 1,
    act: async (life, dice) => {
      const fact = newFact(life, dice, "parcel")
      // A state file that is older, or new, has no trace of what was captured for the order before.
      if (fact === undefined || !life.desk.front.can.moved || life.orders.length > 1) return false
      if (life.traceless || Object.keys(fact.goods).length === 0) return false
      const other = await life.sell({ id: "B" })
      life.strangers.add(fact)
      life.expect(other.payment, {}, "may")
      fact.order = other.order.id
      return life.becomesOdd(`${fact.id} is of ${fact.order} now`)
    }
  },
  {
    name: "no longer exported",
    item: "3",
    weight: 1,
    act: (life) => {
      if (!life.desk.front.can.hidden || life.order.hidden === true || life.model.open > 0) return false
      life.order.hidden = true
      return life.becomesOdd("it is not exported any more")
    }
  },
  {
    name: "another currency",
    item: "5",
    weight: 1,
    act: (life) => {
      if (life.frozen !== undefined || life.payment === undefined || life.odd || !life.begun) return false
      life.frozen = life.truths.get(life.payment) ?? {}
      life.order.currency = "EUR"
      return life.becomesOdd("its currency is EUR now")
    }
  },
  {
    name: "a return in another currency",
    item: "5",
    weight: 1,
    act: (life) => {
      if (!life.desk.front.can.foreign || life.warehouse.there.length === 0) return false
      life.strangers.add(life.fact("return", {}, { amount: 100, currency: "USD" }))
      return life.becomesOdd("that return is in USD")
    }
  },
  {
    name: "entered once more",
    item: "6",
    weight: 1,
    act: (life, dice) => {
      // An order that Daybook creates under a number that is taken is an order of its own.
      if (life.orders.length > 1 || life.creates) return false
      const again = life.addOrder({ id: "B", number: dice.chance(0.5) ? life.order.number : `${life.order.number}-B` })
      if (again.number !== life.order.number) again.payment = life.payment!
      life.strangers.add(life.fact("parcel", { chairs: 2 }, { order: again.id }))
      return life.becomesOdd(`${again.id} has its number, or its deferred payment`)
    }
  },
  {
    name: "another deferred payment",
    item: "8",
    weight: 1,
    act: async (life) => {
      if (life.frozen !== undefined || life.payment === undefined || life.odd) return false
      const other = await life.service.checkout({ number: `${life.order.number}-second`, total: 10_000 })
      // What was captured of it may be given back.
      const [captured, voided] = [life.model.sums.captured + life.slack, life.model.sums.voided + life.slack]
      life.frozen = { captured: [0, captured], voided: [0, voided], refunded: [0, captured] }
      life.order.payment = other
      life.truths.set(other, { captured: [0, 10_000], voided: [0, 10_000], refunded: [0, 10_000] })
      return life.becomesOdd("the books name another deferred payment")
    }
  },
  ...SERVICE_MOVES
]

/** Every so often: the service accepts it, the buyer takes a plan. */
export const meanwhile = async (life: Life, dice: Dice): Promise<void> => {
  if (life.payment === undefined && life.orders.length > 0 && dice.chance(0.6)) {
    const [there] = await life.service.orders(life.order.number)
    const offer = there?.["payment_offer"]
    if (typeof offer !== "string") return
    life.payment = await life.service.take(await life.service.ask("GET", `/v1/payment/offers/${offer}`))
    life.accepted = true
    life.say("its buyer accepts a plan")
  }
  if (!life.accepted && life.payment !== undefined && dice.chance(0.5)) {
    await life.service.move(life.payment, "accepted")
    life.accepted = true
    life.say("the service accepts it")
  }
}

export const draw = (moves: ReadonlyArray<Move>, dice: Dice): Move => {
  let left = dice.below(moves.reduce((sum, { weight }) => sum + weight, 0))
  return moves.find(({ weight }) => (left -= weight) < 0)!
}

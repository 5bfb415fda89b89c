/**
 * What happens to an order's payment past the books: what somebody with the key does by hand, before or without its fact,
 * and what the service itself ends or changes.
 */
import { happens, hereFor, isOpen, type Move, some } from "./Happens.ts"
import type { Kind } from "./Books.ts"
import type { Hand } from "./Service.ts"

const HAND: Readonly<Record<Kind, Hand>> = { parcel: "capture", cancellation: "void", return: "refund" }

/** In what is said of sums that somebody else sent to the service. */
const BY_HAND = "was sent by this connection"

export const SERVICE_MOVES: ReadonlyArray<Move> = [
  {
    name: "by hand, before it is in the books",
    item: "13a",
    weight: 2,
    act: async (life, dice) => {
      if (!isOpen(life) || !life.accepted || life.odd || life.payment === undefined) return false
      if (life.facts.some((fact) => !life.taken.has(fact))) return false
      const kind = dice.of(["parcel", "cancellation", "return"] as const)!
      const goods = some(kind === "return" ? life.model.there : hereFor(kind, life, life.model), dice)
      const price = goods === undefined ? 0 : life.model.price({ kind, goods })
      if (goods === undefined || price === 0) return false
      // Goods may be there of which the money is back already: the service would refuse.
      const { captured, open, refunded } = await life.service.figures(life.payment)
      if (price > (kind === "return" ? captured - refunded : open)) return false
      await life.hand(life.payment, HAND[kind], price)
      const fact = life.fact(kind, goods)
      if (dice.chance(0.5)) {
        life.facts = life.facts.filter((one) => one !== fact)
        life.ahead.push(fact)
        life.unread = true
        life.say(`${fact.id} is not in the books yet`)
      }
      return life.becomesOdd("it was done by hand")
    }
  },
  {
    name: "by hand, for nothing",
    item: "13a",
    weight: 1,
    act: async (life, dice) => {
      if (!isOpen(life) || !life.accepted || life.odd || life.payment === undefined || life.model.open < 500)
        return false
      // It shows once the payment is read, so something has to follow.
      if (!(await happens("parcel")(life, dice))) return false
      await life.hand(life.payment, dice.chance(0.5) ? "capture" : "void", 123)
      return life.becomesOdd("by mistake")
    }
  },
  {
    name: "what was ahead is in the books",
    item: "13a",
    weight: 4,
    act: (life) => {
      if (life.ahead.length === 0) return false
      life.facts.push(...life.ahead.splice(0))
      life.unread = false
      life.say("it is in the books now")
      return true
    }
  },
  {
    name: "a person accepts what was done by hand",
    item: "13b",
    weight: 4,
    act: async (life) => {
      if (life.ahead.length === 0 || life.last === undefined) return false
      if (!life.mine(life.last).some(({ why }) => why.includes(BY_HAND))) return false
      await life.resolve(BY_HAND)
      return true
    }
  },
  {
    name: "rejected by the service",
    item: "17",
    weight: 1,
    act: async (life) => {
      if (life.payment === undefined || life.frozen !== undefined || !life.begun || life.odd) return false
      life.frozen = life.truths.get(life.payment) ?? {}
      await life.service.move(life.payment, "rejected")
      return life.becomesOdd("its deferred payment is rejected")
    }
  },
  ...["expired", "cancelled"].map(
    (status): Move => ({
      name: `${status} by the service`,
      item: "17",
      weight: 1,
      act: async (life, dice) => {
        if (life.payment === undefined || life.frozen !== undefined || !life.begun || life.odd || !life.accepted)
          return false
        if (!(await happens("parcel")(life, dice))) return false
        await life.service.move(life.payment, status)
        const { captured, refunded, voided } = await life.service.figures(life.payment)
        life.frozen = { captured, refunded, voided }
        life.lost = true
        return life.becomesOdd(`its deferred payment is ${status}`)
      }
    })
  ),
  {
    name: "authorised for another amount by the service",
    item: "17",
    weight: 2,
    act: async (life, dice) => {
      if (life.payment === undefined || life.frozen !== undefined || life.odd || !life.accepted) return false
      const { open } = await life.service.figures(life.payment)
      if (!isOpen(life) || open === 0 || life.beyond !== 0) return false
      const by = dice.chance(0.5) ? 1 + dice.below(5000) : -1 - dice.below(open)
      await life.service.authorise(life.payment, open + by)
      life.beyond = by
      life.unread = true
      life.say(`${by} more is authorised`)
      return by > 0 || life.becomesOdd("that may not be enough")
    }
  }
]

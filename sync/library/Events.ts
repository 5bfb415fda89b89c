/**
 * Delivers events to programs without Effect: queues each event from the moment that somebody subscribes until it is taken.
 */

export interface Mailbox<A> extends AsyncIterable<A> {
  readonly put: (event: A) => void
  /** No more events will come; those in the queue can still be taken. */
  readonly end: () => void
}

/** @param onLeave called when the reader stops */
export const mailbox = <A>(onLeave: () => void): Mailbox<A> => {
  const waiting: Array<A> = []
  const takers: Array<(result: IteratorResult<A, undefined>) => void> = []
  let over = false
  const done = { done: true, value: undefined } as const
  const end = () => {
    over = true
    for (const taker of takers.splice(0)) taker(done)
  }
  const iterator: AsyncIterator<A, undefined> = {
    next: () =>
      waiting.length > 0
        ? Promise.resolve({ done: false, value: waiting.shift() as A })
        : over
          ? Promise.resolve(done)
          : new Promise((resolve) => takers.push(resolve)),
    return: () => {
      waiting.length = 0
      end()
      onLeave()
      return Promise.resolve(done)
    }
  }
  return {
    put: (event) => {
      if (over) return
      const taker = takers.shift()
      if (taker === undefined) waiting.push(event)
      else taker({ done: false, value: event })
    },
    end,
    [Symbol.asyncIterator]: () => iterator
  }
}

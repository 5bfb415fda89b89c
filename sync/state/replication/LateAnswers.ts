/**
 * Keeps the answers that one opening of a replicated file heard, until it can store no more: another node has the tenant then, and took
 * their calls for lost. Whoever has it next compares them with its own receipts (`sync/apply/SentTwice.ts`).
 */

/** The answer to a call that has created or changed something. */
export interface LateAnswer {
  /** The claim's number. */
  readonly call: number
  readonly subject: string
  /** What the service has. */
  readonly remote: string
}

/** More than can be heard and not stored yet: most of them are in the receipts by then, which does no harm. */
const MOST = 1000

export class LateAnswers {
  readonly #tell: (answers: ReadonlyArray<LateAnswer>) => void
  #heard: Array<LateAnswer> = []
  #isOver = false

  constructor(tell: (answers: ReadonlyArray<LateAnswer>) => void) {
    this.#tell = tell
  }

  /** Nothing is stored any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  heard(answer: LateAnswer): void {
    if (this.#isOver) return this.#tell([answer])
    this.#heard.push(answer)
    if (this.#heard.length > MOST) this.#heard.shift()
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#heard.length > 0) this.#tell(this.#heard.splice(0))
  }
}

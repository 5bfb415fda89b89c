/** A lease is over by whichever clock of the machine it is over first: also after a time in which a clock stood still. */
import { assert, describe, it } from "@effect/vitest"
import { elapsed, type Moment } from "../../../../sync/state/replication/Clocks.ts"

const THEN: Moment = { monotonic: 5_000, wall: 1_700_000_000_000, boot: 90_000 }

const agoOf = (milliseconds: Partial<Moment>): number =>
  elapsed(THEN, {
    monotonic: THEN.monotonic + (milliseconds.monotonic ?? 0),
    wall: THEN.wall + (milliseconds.wall ?? 0),
    boot: THEN.boot + (milliseconds.boot ?? 0)
  })

describe("how long ago something was", () => {
  it("is what the clock says by which it is longest", () => {
    assert.strictEqual(agoOf({ monotonic: 700, wall: 700, boot: 1000 }), 700)
    // Suspended for a minute: the monotonic clock stood still.
    assert.strictEqual(agoOf({ monotonic: 20, wall: 60_020, boot: 60_000 }), 60_020)
    // Suspended, and the wall clock was set back meanwhile.
    assert.strictEqual(agoOf({ monotonic: 20, wall: -3_600_000, boot: 60_000 }), 59_000)
    // The wall clock was set back, and nothing else.
    assert.strictEqual(agoOf({ monotonic: 2_500, wall: -3_600_000, boot: 2_000 }), 2_500)
    assert.strictEqual(agoOf({}), 0)
  })
})

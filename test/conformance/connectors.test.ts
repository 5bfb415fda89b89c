/** Every connector against the conformance kit, one line each. */
import { describe, it } from "vitest"
import { samples } from "../../connectors/index.ts"
import { conformance } from "../../connectors/testing/index.ts"

for (const sample of Object.values(samples)) conformance({ describe, it }, (await sample()).subject)

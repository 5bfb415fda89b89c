/** Every connector against the conformance kit, whose checks have names such as "makes the golden documents of them". */
import { describe, it } from "vitest"
import { connectors } from "../../connectors/index.ts"
import { conformance } from "../../connectors/testing/index.ts"

for (const { sample } of connectors) conformance({ describe, it }, (await sample()).subject)

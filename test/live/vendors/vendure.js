/** Starts Vendure with a database in memory: `node vendure.js FOLDER PORT`, of a folder with its packages. */
import { createRequire } from "node:module"
import { join } from "node:path"

const [, , folder, port] = process.argv
const require = createRequire(join(folder, "package.json"))
const { bootstrap, DefaultLogger, LanguageCode, LogLevel, PaymentMethodHandler } = require("@vendure/core")

/** Takes payments at once; a refund of an odd amount waits until somebody settles it. */
const invoice = new PaymentMethodHandler({
  code: "invoice",
  description: [{ languageCode: LanguageCode.en, value: "Invoice" }],
  args: {},
  createPayment: (_, __, amount, ___, metadata) => ({ amount, state: "Settled", transactionId: metadata.id, metadata }),
  settlePayment: () => ({ success: true }),
  createRefund: (_, __, amount) => (amount % 2 === 0 ? { state: "Settled", transactionId: "refund" } : false)
})

await bootstrap({
  apiOptions: { port: Number(port), hostname: "127.0.0.1", adminApiPath: "admin-api", shopApiPath: "shop-api" },
  authOptions: {
    tokenMethod: ["bearer", "api-key"],
    superadminCredentials: { identifier: "superadmin", password: "superadmin" }
  },
  dbConnectionOptions: { type: "sqljs", synchronize: true, autoSave: false },
  paymentOptions: { paymentMethodHandlers: [invoice] },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  plugins: []
})

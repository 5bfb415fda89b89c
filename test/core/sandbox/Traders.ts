/**
 * A sole trader with everything that DP 2.3 requires.
 */
import { fresh, user, type Wire } from "./Wire.ts"

export const trader = async (api: Wire) => ({
  owner: await user(api),
  unique_id: fresh("trader"),
  trading_name: "Ann's Cakes",
  trading_address: "1 High Street",
  trading_address_city: "York",
  trading_address_postcode: "YO1 1AA",
  trading_address_country: "GB",
  proprietor_name: "Ann Baker",
  proprietor_address_line1: "2 High Street",
  proprietor_address_line2: "Flat 1",
  proprietor_address_city: "York",
  proprietor_address_postcode: "YO1 1AB",
  proprietor_address_country: "United Kingdom",
  date_of_birth: "1980-02-29"
})

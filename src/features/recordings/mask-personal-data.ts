const dot = '•'
// The lengths are those of an e-mail address (RFC 5321). Without them a long line would take quadratic time.
const email = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu
/** As it is read out: "kiran dot d at example dot com". */
const spokenEmail =
  /(?:[\p{L}\p{N}_-]{1,64} (?:dot|underscore|dash) ){0,8}[\p{L}\p{N}_.-]{1,64} at (?:[\p{L}\p{N}-]{1,63} dot ){1,8}\p{L}{2,63}/giu
/** Seven or more digits in any grouping: a card, account or phone number. */
const digitRun = /\p{Nd}(?:[\s.,()/+-]{0,3}\p{Nd}){6,}/gu
const digitWords =
  'zero|oh|one|two|three|four|five|six|seven|eight|nine|shunya|ek|do|teen|chaar|char|paanch|panch|chhah|chhe|saat|aath|nau|शून्य|एक|दो|तीन|चार|पाँच|पांच|छह|छः|सात|आठ|नौ'
const digitWord = String.raw`(?<![\p{L}\p{M}])(?:(?:double|triple|डबल)\s)?(?:${digitWords}|\p{Nd})(?![\p{L}\p{M}\p{Nd}])`
/** Read out digit by digit. */
const spokenDigits = new RegExp(`${digitWord}(?:[\\s.,-]{1,3}${digitWord}){6,}`, 'giu')

/**
 * Hides card numbers, e-mail addresses and long runs of digits, written or read out. The lines are consecutive ones of one speaker, because
 * a number may continue on the next line. Returns as many lines.
 */
export function maskPersonalData(lines: readonly string[]): readonly string[] {
  const joined = lines.map((line) => line.replaceAll('\n', ' ')).join('\n')
  const masked = joined
    .replaceAll(email, '[e-mail]')
    .replaceAll(spokenEmail, '[e-mail]')
    .replaceAll(digitRun, (found) => found.replaceAll(/\p{Nd}/gu, dot))
    .replaceAll(spokenDigits, (found) => found.replaceAll(/[\p{L}\p{M}\p{Nd}]+/gu, dot))
  return masked.split('\n')
}

import { personalNumbersIn } from './personal-numbers.ts'

const dot = '•'
// The lengths are those of an e-mail address (RFC 5321). Without them a long line would take quadratic time.
/** Also the address of an account (UPI), which has no dot: `anita@okbank`. */
const email = /[\p{L}\p{M}\p{N}._%+-]{1,64}@[\p{L}\p{M}\p{N}-]{1,63}(?:\.[\p{L}\p{M}\p{N}-]{1,63}){0,8}/gu
/** As it is read out: "kiran dot d at example dot com". */
const spokenEmail =
  /(?:[\p{L}\p{M}\p{N}_-]{1,64} (?:dot|डॉट|underscore|dash) ){0,8}[\p{L}\p{M}\p{N}_.-]{1,64} (?:at|at the rate|एट|ऐट|एट द रेट) (?:[\p{L}\p{M}\p{N}-]{1,63} (?:dot|डॉट) ){1,8}[\p{L}\p{M}]{2,63}/giu
/** The number of a taxpayer (PAN). */
const pan = /(?<![\p{L}\p{N}])[A-Z]{5}[\s-]?\d{4}[\s-]?[A-Z](?![\p{L}\p{N}])/giu
const digitWords =
  'zero|oh|one|two|three|four|five|six|seven|eight|nine|shunya|ek|do|teen|chaar|char|paanch|panch|chhah|chhe|saat|aath|nau|शून्य|एक|दो|तीन|चार|पाँच|पांच|छह|छः|छे|सात|आठ|नौ|ज़ीरो|\u095bीरो|जीरो|वन|टू|थ्री|फोर|फ़ोर|फाइव|सिक्स|सेवन|एट|नाइन'
const digitWord = String.raw`(?<![\p{L}\p{M}\p{Nd}])(?:(?:double|triple|डबल|ट्रिपल)\s)?(?:${digitWords}|\p{Nd})(?![\p{L}\p{M}\p{Nd}])`
/** Read out digit by digit; with "triple", three words may be seven digits. */
const spokenDigits = new RegExp(`${digitWord}(?:[\\s.,।-]{1,3}${digitWord}){2,}`, 'giu')
const shortestNumber = 7
/** In the morning, at noon, at night. */
const doses = /(?<![\p{Nd}-])\p{Nd}(?:-\p{Nd}){2,3}(?![\p{Nd}-])/gu
const times: Readonly<Record<string, number>> = { triple: 2, ट्रिपल: 2 }

/**
 * Hides what tells who somebody is: phone, card, account and identity numbers, written or read out, and e-mail addresses. Dates, readings, doses and
 * amounts stay. The lines are consecutive ones of one speaker, because a number may continue on the next line. Returns as many lines.
 */
export function maskPersonalData(lines: readonly string[]): readonly string[] {
  const joined = lines.map((line) => line.replaceAll('\n', ' ')).join('\n')
  const named = joined
    .replaceAll(email, '[e-mail]')
    .replaceAll(spokenEmail, '[e-mail]')
    .replaceAll(pan, (found) => found.replaceAll(/[\p{L}\p{N}]/gu, dot))
  return maskNumbers(named)
    .replaceAll(spokenDigits, (found) =>
      spokenLength(found.replaceAll(doses, '')) < shortestNumber ? found : found.replaceAll(/[\p{L}\p{M}\p{Nd}]+/gu, dot),
    )
    .split('\n')
}

function spokenLength(digits: string): number {
  return (digits.match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? []).reduce((sum, word) => sum + (times[word.toLowerCase()] ?? 1), 0)
}

function maskNumbers(text: string): string {
  let end = 0
  const parts = personalNumbersIn(text).map(({ from, to }) => {
    const part = text.slice(end, from) + text.slice(from, to).replaceAll(/\p{Nd}/gu, dot)
    end = to
    return part
  })
  return parts.join('') + text.slice(end)
}

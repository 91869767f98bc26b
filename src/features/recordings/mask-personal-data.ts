import { personalNumbersIn } from './personal-numbers.ts'
import { maskSpokenDigits } from './spoken-digits.ts'

const dot = '•'
const label = String.raw`[\p{L}\p{M}\p{N}-]{1,63}`
const ending = String.raw`(?:com|in|org|net|edu|gov|co|io|info|biz)(?![\p{L}\p{M}\p{N}])`
// The lengths are those of an e-mail address (RFC 5321). Without them a long line would take quadratic time.
/** Also the address of an account (UPI), which has no dot: `anita@okbank`. */
const email = new RegExp(
  String.raw`[\p{L}\p{M}\p{N}._%+-]{1,64}(?:@${label}(?:\.${label}){0,8}|\s?@\s?(?:${label}\.){1,8}${ending}|\s?@\s?ok[a-z]{2,12})`,
  'giu',
)
const figures = String.raw`(?:\p{N}{1,8}|zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple)`
/** The letters of a name, or a name before figures: "r a v i at gmail dot com", "ravi 123 at gmail dot com". */
const namedFigures = String.raw`(?:(?:[\p{L}\p{N}] (?=[\p{L}\p{N}] )){1,20}(?=[\p{L}\p{N}] (?:at|एट|ऐट) )|(?:\p{L} (?=\p{L} )){0,9}(?:(?!(?:is|was|id|mail|email|address|to|on|as|it|my|and|है|ईमेल|मेल|आईडी) )[\p{L}\p{M}]{1,64} )?(?:${figures} ){0,9}(?=${figures} (?:at|एट|ऐट) ))?`
/** As it is read out: "kiran dot d at example dot com", or half of it, or "kiran at the rate gmail". An account's ends as banks name them. */
const spokenEmail = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_.-])(?:[\p{L}\p{M}\p{N}_-]{1,64} (?:dot|डॉट|underscore|dash) ){0,8}${namedFigures}(?!(?:us|me|it|is|was|look|online|website|available|book|visit) )[\p{L}\p{M}\p{N}_.-]{1,64} (?:at|at the rate(?: of)?|एट|ऐट|एट द रेट) (?:(?:${label} (?:dot|डॉट) ){1,8}[\p{L}\p{M}]{2,63}|(?:${label}(?:\.| dot )){1,8}${ending}|(?<=rate |rate of |रेट )(?:gmail|yahoo|hotmail|outlook|rediff|rediffmail|icloud|जीमेल|याहू)(?![\p{L}\p{M}\p{N}])|(?:ok(?:axis|icici|sbi|[a-z]{0,8}bank)|ybl|ibl|axl)(?![\p{L}\p{M}\p{N}]))`,
  'giu',
)
/** The number of a taxpayer (PAN), also read out. */
const pan = /(?<![\p{L}\p{N}])(?:[A-Z]{5}[\s-]?\d{4}[\s-]?[A-Z]|[A-Z](?:\s[A-Z]){4}(?:\s\d){4}\s[A-Z])(?![\p{L}\p{N}])/giu
/** What somebody says while another one reads out a number. */
const assent =
  /^[\s\p{P}]{0,3}(?:(?:yes|yeah|yep|ok|okay|right|haa?n?|ji|hm{1,3}|m{2,3}|uh|um|sure|correct|noted|got it|go (?:on|ahead)|next|हाँ|हां|जी|अच्छा|ओके|ठीक है|बोलिए|आगे|हम्म)[\s\p{P}]{0,3}){1,3}$/iu

/**
 * Hides what tells who somebody is: phone, card, account and identity numbers, written or read out, and e-mail addresses. Dates, readings, doses and
 * amounts stay. The lines are consecutive ones of one speaker, because a number may continue on the next line. Returns as many lines.
 */
export function maskPersonalData(lines: readonly string[]): readonly string[] {
  const plain = lines.map((line) => line.replaceAll('\n', ' '))
  const said = plain.flatMap((line, index) => (assent.test(line) ? [] : [index]))
  const masked = mask(said.map((index) => plain[index]).join('\n')).split('\n')
  const hidden = new Map(said.map((index, place) => [index, masked[place]]))
  return plain.map((line, index) => hidden.get(index) ?? line)
}

function mask(text: string): string {
  const named = text
    .replaceAll(email, '[e-mail]')
    .replaceAll(spokenEmail, '[e-mail]')
    .replaceAll(pan, (found) => found.replaceAll(/[\p{L}\p{N}]/gu, dot))
  return maskSpokenDigits(maskNumbers(named))
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

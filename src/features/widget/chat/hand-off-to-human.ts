import { z } from 'zod'
import { plainText } from '../../../ports/insight.ts'
import { hashOf } from '../../../kernel/ids.ts'
import { latinFigures, toE164 } from '../../../kernel/phone.ts'
import { noteOf } from './conversation-note.ts'
import type { PassOn } from './ports.ts'
import type { Talk } from './conversation.ts'
import type { ChatTool, Desk, ToolAnswer } from './assistant-tools.ts'

const input = z.strictObject({
  name: z.string().max(200).nullable().describe("The visitor's name; null where it is not known"),
  phone: z.string().max(40).describe('The phone number as the visitor has written it'),
  reason: z.string().max(500).describe('In one sentence, what the visitor wants'),
})
/** Of different numbers in one talk. */
const mostNumbers = 3
const shortestNumber = 7

/**
 * Passes the talk on to people. The answer is the same whoever the number belongs to. Only a number that the visitor has written counts: a
 * model that makes one up, or has it from elsewhere, changes nothing.
 */
export function handOverTool(desk: Desk): ChatTool<z.output<typeof input>> {
  return {
    description: 'Passes the talk on to the staff, who call the visitor back.',
    input,
    async run({ name, phone: given, reason }) {
      const { reception, talk, change } = desk
      const phone = toE164(given, reception.country)
      if (phone === null) return notPassedOn('That is no valid phone number: ask for it again, with the country code.')
      if (!wroteNumber(talk(), given)) return notPassedOn('The visitor has not written this number: ask them to write it in figures.')
      const digest = hashOf(phone)
      const before = talk().passedOn
      if (before.includes(digest)) return passedOn
      if (before.length >= mostNumbers) return notPassedOn('This talk was passed on with other numbers already; a colleague will call.')
      if (!(await isPassedOn(desk, { name: plainText(name ?? '', 100) || null, phone, note: noteOf(talk(), reason), reference: digest }))) {
        return notPassedOn('That did not work just now: the visitor may try again in a minute, or call the hospital.')
      }
      await change({ passedOn: [...before, digest] })
      return passedOn
    },
  }
}

type Passing = Pick<Parameters<PassOn>[0], 'name' | 'phone' | 'note' | 'reference'>

async function isPassedOn({ workspaceId, talkId, clientAddress, limits, passOn, log }: Desk, passing: Passing): Promise<boolean> {
  try {
    await limits.handOver(clientAddress)
    await passOn({ workspaceId, ...passing, reference: `${talkId}:${passing.reference}` })
    return true
  } catch (error) {
    log.error({ err: error }, 'a visitor could not be passed on')
    return false
  }
}

const passedOn: ToolAnswer = { output: { passedOn: true }, card: null }

function notPassedOn(why: string): ToolAnswer {
  return { output: { passedOn: false, why }, card: null }
}

function wroteNumber({ messages }: Talk, phone: string): boolean {
  const wanted = digitsOf(phone)
  const written = messages.map((message) => (message.role === 'user' ? digitsOf(message.text) : '')).join(' ')
  return wanted.length >= shortestNumber && (written.includes(wanted) || written.includes(wanted.slice(-10)))
}

/** Without what stands between them. */
function digitsOf(text: string): string {
  return latinFigures(text).replaceAll(/\D/g, '')
}

import { z } from 'zod'
import { hashOf } from '../../../kernel/ids.ts'
import { latinFigures, toE164 } from '../../../kernel/phone.ts'
import { plainText } from '../../../kernel/text.ts'
import { handOffVisitor } from '../hand-off-visitor.ts'
import type { AssistantContext, AssistantTool, ToolResult } from './assistant-context.ts'
import { noteOf } from './conversation-note.ts'
import type { VisitorConversation } from './conversation.ts'

const input = z.strictObject({
  name: z.string().max(200).nullable().describe("The visitor's name; null if it is not known"),
  phone: z.string().max(40).describe('The phone number as the visitor has written it'),
  reason: z.string().max(500).describe('In one sentence, what the visitor wants'),
})
/** Different numbers in one conversation. */
const maxNumbers = 3
const minDigits = 7

/**
 * Hands the visitor off to a human. The answer does not reveal whether the number is known. Only a number that the visitor has written
 * counts, so a number that the model invents or finds elsewhere has no effect.
 */
export const handOffTool: AssistantTool<z.output<typeof input>> = {
  description: 'Hands the conversation off to the staff, who call the visitor back.',
  input,
  async run(context, { name, phone: given, reason }) {
    const { profile, conversation, change } = context
    const phoneNumber = toE164(given, profile.country)
    if (phoneNumber === null) return notHandedOff('That is no valid phone number: ask for it again, with the country code.')
    if (!wroteNumber(conversation(), given))
      return notHandedOff('The visitor has not written this number: ask them to write it in figures.')
    const digest = hashOf(phoneNumber)
    const before = conversation().handedOff
    if (before.includes(digest)) return handedOff
    if (before.length >= maxNumbers)
      return notHandedOff('This conversation was handed off with other numbers already; a colleague will call.')
    const note = noteOf(conversation(), reason)
    if (!(await tryHandOff(context, { name: plainText(name ?? '', 100) || null, phoneNumber, note, digest }))) {
      return notHandedOff('That did not work just now: the visitor may try again in a minute, or call the hospital.')
    }
    await change({ handedOff: [...before, digest] })
    return handedOff
  },
}

type Attempt = { readonly name: string | null; readonly phoneNumber: string; readonly note: string; readonly digest: string }

async function tryHandOff(context: AssistantContext, { digest, ...visitor }: Attempt): Promise<boolean> {
  const { ports, workspaceId, conversationId, clientAddress } = context
  try {
    await ports.visitorLimits.handOff(clientAddress)
    await handOffVisitor(ports, { workspaceId, ...visitor, reference: `${conversationId}:${digest}` })
    return true
  } catch (error) {
    ports.log.error({ err: error, workspaceId }, 'widget.hand-off-failed')
    return false
  }
}

const handedOff: ToolResult = { output: { handedOff: true }, card: null }

function notHandedOff(why: string): ToolResult {
  return { output: { handedOff: false, why }, card: null }
}

function wroteNumber({ messages }: VisitorConversation, phone: string): boolean {
  const wanted = digitsOf(phone)
  const written = messages.map((message) => (message.role === 'user' ? digitsOf(message.text) : '')).join(' ')
  return wanted.length >= minDigits && (written.includes(wanted) || written.includes(wanted.slice(-10)))
}

function digitsOf(text: string): string {
  return latinFigures(text).replaceAll(/\D/g, '')
}

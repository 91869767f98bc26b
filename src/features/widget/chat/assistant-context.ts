import type { z } from 'zod'
import type { HandOffPorts } from '../hand-off-visitor.ts'
import type { HoldSlotPorts } from '../hold-slot.ts'
import type { AvailabilityPorts } from '../read-availability.ts'
import type { Card, VisitorConversation } from './conversation.ts'
import type { References } from './references.ts'
import type { WorkspaceProfile } from './workspace-profile.ts'

/** What the assistant's tools work with during one reply. */
export type AssistantContext = {
  readonly ports: HoldSlotPorts & AvailabilityPorts & HandOffPorts
  readonly workspaceId: string
  readonly widgetKey: string
  readonly clientAddress: string
  readonly conversationId: string
  readonly profile: WorkspaceProfile
  readonly doctors: References
  readonly slots: References
  readonly conversation: () => VisitorConversation
  /** Saves a change of the conversation. A tool saves an effect outside at once, so that a reply that is repeated does not repeat the effect. */
  readonly change: (change: Partial<VisitorConversation>) => Promise<void>
}

/** `output` goes to the model, `card` to the visitor. */
export type ToolResult = { readonly output: Readonly<Record<string, unknown>>; readonly card: Card | null }

export type AssistantTool<Input> = {
  /** For the model. */
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly run: (context: AssistantContext, input: Input) => Promise<ToolResult>
}

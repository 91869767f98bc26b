import { z } from 'zod'
import type { CallPhase } from './call-facts.ts'

/** What an agent can do with a live call. */
export const controlActions = [
  'HOLD',
  'UNHOLD',
  'MUTE',
  'UNMUTE',
  'CONFERENCE',
  'KICK',
  'HANG_UP',
  'PAUSE_RECORDING',
  'RESUME_RECORDING',
] as const
export type ControlAction = (typeof controlActions)[number]

export const callControlsSchema = z.object({
  held: z.boolean(),
  muted: z.boolean(),
  recordingPaused: z.boolean(),
  /** Numbers of further parties, E.164. */
  parties: z.array(z.string()),
})
/** How a live call is set. */
export type CallControls = z.output<typeof callControlsSchema>

export const noControls: CallControls = { held: false, muted: false, recordingPaused: false, parties: [] }

export type ControlStep = { readonly action: ControlAction; readonly phoneNumber?: string | null | undefined }
/** `refused`: why the step is not possible now, for the agent to read. */
export type Controlled = { readonly controls: CallControls } | { readonly refused: string }

/** One step of the state machine: the controls after the action, or why it is not allowed now. Repeating an action changes nothing. */
export function control(phase: CallPhase, controls: CallControls, step: ControlStep): Controlled {
  if (phase === 'COMPLETED' || phase === 'MISSED') return { refused: 'The call has ended' }
  if (phase === 'RINGING' && step.action !== 'HANG_UP') return { refused: 'The call has not been answered yet' }
  return actions[step.action](controls, step.phoneNumber ?? null)
}

type Action = (controls: CallControls, phoneNumber: string | null) => Controlled

const set =
  (change: Partial<CallControls>): Action =>
  (controls) => ({ controls: { ...controls, ...change } })

const mostParties = 5

const actions: Readonly<Record<ControlAction, Action>> = {
  HOLD: set({ held: true }),
  UNHOLD: set({ held: false }),
  MUTE: set({ muted: true }),
  UNMUTE: set({ muted: false }),
  PAUSE_RECORDING: set({ recordingPaused: true }),
  RESUME_RECORDING: set({ recordingPaused: false }),
  HANG_UP: set({}),
  CONFERENCE(controls, phoneNumber) {
    if (phoneNumber === null) return { refused: 'A conference needs a phone number' }
    if (controls.parties.includes(phoneNumber)) return { controls }
    if (controls.parties.length >= mostParties) return { refused: `At most ${mostParties} further parties can join` }
    return { controls: { ...controls, parties: [...controls.parties, phoneNumber] } }
  },
  KICK(controls, phoneNumber) {
    if (phoneNumber === null || !controls.parties.includes(phoneNumber)) return { refused: 'This number is not in the call' }
    return { controls: { ...controls, parties: controls.parties.filter((party) => party !== phoneNumber) } }
  },
}

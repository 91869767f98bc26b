import type { TelephonyAccount } from '../accounts.ts'
import type { JsonObject } from './json.ts'
import type { StoredRecord } from './record-table.ts'
import { relationColumn } from './workspace-model.ts'
import { type LiveWorkspace, systemActor } from './fixtures.ts'

type SeedInput = {
  readonly agents: readonly StoredRecord[]
  readonly account: TelephonyAccount
  readonly now: number
  readonly recordingBaseUrl: string | null
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A few dozen records of a hospital's call center in India: doctors, their visit slots, leads, calls, notes and tasks. */
export function seedRecords(workspace: LiveWorkspace, input: SeedInput): void {
  const leads = leadRows.map((row, index) => addLead(workspace, { ...input, row, index }))
  seedCalls(workspace, leads, input)
  seedDoctors(workspace, leads, input.now)
  seedActivity(workspace, leads, input.now)
}

type LeadRow = readonly [name: string, mobile: string, status: string, source: string]

const leadRows: readonly LeadRow[] = [
  ['Ananya Sharma', '9876543210', 'NEW', 'Website'],
  ['Rahul Verma', '9812345670', 'IN_PROGRESS', 'Phone'],
  ['Priya Nambiar', '9945012345', 'NEW', 'Referral'],
  ['Suresh Patil', '9820098200', 'WON', 'Phone'],
  ['Kavita Joshi', '9890123456', 'IN_PROGRESS', 'WhatsApp'],
  ['Imran Sheikh', '9769012345', 'NEW', 'Website'],
  ['Deepa Krishnan', '9841098410', 'LOST', 'Campaign'],
  ['Manish Agarwal', '9831012345', 'NEW', 'Phone'],
  ['Lakshmi Reddy', '9848012345', 'IN_PROGRESS', 'Referral'],
  ['Arjun Singh', '9815012345', 'NEW', 'Website'],
  ['Sneha Kulkarni', '9822012345', 'WON', 'WhatsApp'],
  ['Mohammed Irfan', '9886012345', 'NEW', 'Campaign'],
  ['Pooja Mehta', '9825012345', 'IN_PROGRESS', 'Website'],
  ['Ganesh Subramanian', '9840012345', 'NEW', 'Phone'],
  ['Ritu Chatterjee', '9830012345', 'LOST', 'Referral'],
  ['Harpreet Kaur', '9814012345', 'NEW', 'Phone'],
]

type NewLead = SeedInput & { readonly row: LeadRow; readonly index: number }

function addLead(workspace: LiveWorkspace, { row: [name, mobile, status, source], index, agents, now }: NewLead): StoredRecord {
  return createSeeded(workspace, 'lead', {
    name,
    phones: { primaryPhoneNumber: `+91${mobile}` },
    emails: index % 3 === 2 ? {} : { primaryEmail: `${name.toLowerCase().replaceAll(' ', '.')}@mail.example` },
    status,
    source,
    agentId: index % 4 === 3 ? null : (agents[index % agents.length]?.id ?? null),
    ...writtenAt(now - (leadRows.length - index) * 8 * hour),
  })
}

function writtenAt(at: number) {
  return { createdAt: new Date(at), updatedAt: new Date(at) }
}

/** One call with each lead and a second one with some; every sixth was missed. */
function seedCalls(workspace: LiveWorkspace, leads: readonly StoredRecord[], input: SeedInput): void {
  for (const [index, lead] of [...leads, ...leads.slice(0, 8)].entries()) addCall(workspace, lead, { ...input, index })
}

function addCall(workspace: LiveWorkspace, lead: StoredRecord, { index, agents, account, ...input }: SeedInput & { index: number }): void {
  const isMissed = index % 6 === 5
  const seconds = 45 + ((index * 37) % 240)
  const startedAt = input.now - (index + 1) * 3 * hour
  const agent = agents[index % agents.length]
  const campaign = account.campaigns[index % account.campaigns.length]
  const answered = { answeredAt: new Date(startedAt + 12_000), disposition: account.dispositions[index % account.dispositions.length] }
  createSeeded(workspace, 'call', {
    name: `${isMissed ? 'Missed call' : 'Call'} with ${String(lead['name'])}`,
    ucid: String(17_300_000_000_001 + index * 7919),
    direction: index % 4 === 1 ? 'OUTBOUND' : 'INBOUND',
    status: isMissed ? 'MISSED' : 'COMPLETED',
    startedAt: new Date(startedAt),
    endedAt: new Date(startedAt + (isMissed ? 25 : seconds + 12) * 1000),
    ...(isMissed ? {} : answered),
    durationSeconds: isMissed ? 0 : seconds,
    phone: `+91${leadRows[index % leadRows.length]?.[1] ?? ''}`,
    did: campaign?.did,
    campaignName: campaign?.name,
    agentId: isMissed ? null : (agent?.id ?? null),
    leadId: lead.id,
    ...recordingOf(isMissed ? null : input.recordingBaseUrl, index),
    ...writtenAt(startedAt),
  })
}

/** How many recordings the speech stand-in has. */
const recordings = 12

/** Every second answered call was recorded: `call-001.wav`, `call-002.wav`, ... */
function recordingOf(baseUrl: string | null, index: number) {
  if (baseUrl === null || index % 2 === 1) return {}
  const name = `call-${String(((index / 2) % recordings) + 1).padStart(3, '0')}.wav`
  return { recording: { primaryLinkLabel: name, primaryLinkUrl: `${baseUrl}/recordings/${name}` } }
}

const doctors = [
  ['Dr. Nandini Rao', 'Cardiology', 'Heart Centre, Block A', ['English', 'Kannada', 'Hindi'], 900],
  ['Dr. Sanjay Kulkarni', 'Orthopaedics', 'Bone and Joint Clinic', ['English', 'Marathi', 'Hindi'], 800],
  ['Dr. Ayesha Siddiqui', 'Paediatrics', 'Children’s Wing', ['English', 'Urdu', 'Hindi'], 700],
  ['Dr. Thomas Mathew', 'Dermatology', 'Skin Clinic', ['English', 'Malayalam'], 650],
  ['Dr. Kiran Deshpande', 'General Medicine', 'Out-patient Department', ['English', 'Hindi'], 500],
] as const

/** Three days of slots for each doctor, from tomorrow, at times of Indian clinics; some are taken. */
function seedDoctors(workspace: LiveWorkspace, leads: readonly StoredRecord[], now: number): void {
  const midnightInIndia = Math.floor((now + 5.5 * hour) / day) * day - 5.5 * hour
  for (const [index, [name, speciality, clinic, languages, fee]] of doctors.entries()) {
    const doctor = createSeeded(workspace, 'doctor', { name, speciality, clinic, languages, fee, active: index !== 3 })
    for (let slot = 0; slot < 9; slot += 1) {
      const startsAt = midnightInIndia + (1 + Math.floor(slot / 3)) * day + (10 + (slot % 3) * 2) * hour + index * 10 * minute
      const isBooked = (index + slot) % 5 === 4
      createSeeded(workspace, 'visitSlot', {
        name: `${name}, ${speciality}`,
        doctorId: doctor.id,
        startsAt: new Date(startsAt),
        endsAt: new Date(startsAt + 20 * minute),
        state: isBooked ? 'BOOKED' : 'FREE',
        leadId: isBooked ? (leads[(index + slot) % leads.length]?.id ?? null) : null,
      })
    }
  }
}

const notes = [
  'Asked about the fee for a first visit and whether insurance is taken. Prefers mornings.',
  'Knee pain for two months; wants an orthopaedic appointment this week. **Call back** after 5 pm.',
  'Wants to move the appointment to Saturday. Speaks Malayalam and English.',
  'Father had a heart check last year; asks for the same doctor.',
  'Called about a skin rash on a child; told to see paediatrics first.',
] as const

function seedActivity(workspace: LiveWorkspace, leads: readonly StoredRecord[], now: number): void {
  for (const [index, markdown] of notes.entries()) {
    const lead = leads[index]
    const note = createSeeded(workspace, 'note', { title: 'Call summary', bodyV2: { markdown } })
    createSeeded(workspace, 'noteTarget', { noteId: note.id, [columnOf(workspace, 'noteTarget')]: lead?.id })
  }
  for (const [index, lead] of leads.slice(0, 3).entries()) {
    const task = createSeeded(workspace, 'task', {
      title: `Call back ${String(lead['name'])}`,
      status: 'TODO',
      dueAt: new Date(now + (index + 1) * 4 * hour),
    })
    createSeeded(workspace, 'taskTarget', { taskId: task.id, [columnOf(workspace, 'taskTarget')]: lead.id })
  }
}

/** The column by which notes and tasks point at a lead. */
function columnOf(workspace: LiveWorkspace, holder: string): string {
  return relationColumn(workspace.model, holder, 'lead') ?? 'targetLeadId'
}

export function createSeeded(workspace: LiveWorkspace, name: string, data: JsonObject): StoredRecord {
  const object = workspace.model.knownObject(name)
  const written = Object.entries(data).map(([field, value]): [string, unknown] => [
    field,
    value instanceof Date ? value.toISOString() : value,
  ])
  return workspace.records.create(object, { data: Object.fromEntries<unknown>(written), actor: systemActor })
}

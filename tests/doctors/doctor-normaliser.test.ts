import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DirectoryRecords, normaliseDirectory } from '../../src/providers/platform/normalise-directory.ts'
import type { VisitSlot } from '../../src/ports/doctors.ts'
import { isTimeZone, localMoment, momentOfLocal } from '../../src/kernel/time-zone.ts'

const now = Date.UTC(2026, 10, 23, 6)
const visits = { timeZone: 'Asia/Kolkata', slotMinutes: 15, now }
const id = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'
const leadId = '7a1c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'

const doctorOf = (record: object) => normaliseDirectory({ doctors: [{ id, ...record }], slots: [] }, visits).doctors[0]
const slotsOf = (record: object, changes: Partial<typeof visits> = {}) =>
  normaliseDirectory({ doctors: [], slots: [{ id, ...record }] }, { ...visits, ...changes }).slots
const slotOf = (record: object, changes: Partial<typeof visits> = {}): VisitSlot | undefined => slotsOf(record, changes)[0]

describe('normalises doctors of any workspace', () => {
  test('all fields of the sandbox', () => {
    const fields = {
      name: 'Dr. Rao',
      speciality: 'Cardiology',
      clinic: 'Block A',
      languages: ['English', 'Hindi'],
      fee: 900,
      active: false,
    }
    expect(doctorOf(fields)).toEqual({ id, ...fields })
  })

  test('a workspace without any of the optional fields', () => {
    const nothing = { speciality: null, clinic: null, languages: [], fee: null, active: true }
    expect(doctorOf({})).toEqual({ id, name: 'Doctor', ...nothing })
    const nulls = { name: null, speciality: null, clinic: null, languages: null, fee: null, active: null }
    expect(doctorOf(nulls)).toEqual({ id, name: 'Doctor', ...nothing })
  })

  test.each([
    ['Dr. Asha  Rao\n', 'Dr. Asha Rao'],
    [{ firstName: 'Asha', lastName: 'Rao' }, 'Asha Rao'],
    [{ firstName: '', lastName: 'Rao' }, 'Rao'],
    [{ firstName: null, lastName: null }, 'Doctor'],
    ['   ', 'Doctor'],
    ['x'.repeat(500), 'x'.repeat(200)],
  ])('name %j', (name, read) => expect(doctorOf({ name })?.name).toBe(read))

  test.each([
    ['GENERAL_MEDICINE', 'General Medicine'],
    ['ENT', 'ENT'],
    ['Ear, nose and throat', 'Ear, nose and throat'],
    [['CARDIOLOGY', 'SURGERY'], 'Cardiology, Surgery'],
    [id, null],
  ])('speciality %j', (speciality, read) => expect(doctorOf({ speciality })?.speciality).toBe(read))

  test.each([
    [
      ['English', 'Hindi'],
      ['English', 'Hindi'],
    ],
    [
      ['ENGLISH', 'SCOTS_GAELIC'],
      ['English', 'Scots Gaelic'],
    ],
    ['English, Hindi;Kannada / Urdu and Tamil', ['English', 'Hindi', 'Kannada', 'Urdu', 'Tamil']],
    ['Hindi, hindi', ['hindi']],
    ['Mandarin', ['Mandarin']],
    [7, ['7']],
    [[null, '', {}], []],
    [{}, []],
  ])('languages %j', (languages, read) => expect(doctorOf({ languages })?.languages).toEqual(read))

  test.each([
    [900, 900],
    [0, 0],
    ['900', 900],
    ['₹ 1,20,000.50', 120_000.5],
    ['Rs. 500/-', 500],
    ['1.200,50 EUR', 1_200.5],
    ['1,200', 1_200],
    ['1.200.300', 1_200_300],
    [`500${' '.repeat(97)}`, 500],
    [`500${' '.repeat(98)}`, null],
    ['12,5', 12.5],
    ["CHF 1'200", 1_200],
    [{ amountMicros: 650_000_000, currencyCode: 'INR' }, 650],
    [{ amountMicros: '650500000', currencyCode: 'INR' }, 650.5],
    [{ amountMicros: null, currencyCode: '' }, null],
    ['500 to 800', null],
    ['on request', null],
    [-5, null],
    ['-5', null],
    [Number.NaN, null],
    [{}, null],
  ])('fee %j', (fee, read) => expect(doctorOf({ fee })?.fee).toBe(read))

  test.each([
    [true, true],
    [false, false],
    ['ACTIVE', true],
    ['yes', true],
    ['ON_LEAVE', false],
    ['', true],
    [0, false],
  ])('active %j', (active, read) => expect(doctorOf({ active })?.active).toBe(read))
})

describe('normalises visit slots of any workspace', () => {
  const startsAt = '2026-11-24T04:30:00.000Z'

  test("all fields, in UTC and in the clinic's time zone", () => {
    const record = {
      title: 'Dr. Rao, Tuesday',
      doctorId: id.toUpperCase(),
      startsAt,
      endsAt: '2026-11-24T04:50:00.000Z',
      state: 'BOOKED',
      leadId,
    }
    expect(slotOf(record)).toEqual({
      id,
      doctorId: id,
      startsAt,
      endsAt: '2026-11-24T04:50:00.000Z',
      localStartsAt: '2026-11-24T10:00:00+05:30',
      localEndsAt: '2026-11-24T10:20:00+05:30',
      timeZone: 'Asia/Kolkata',
      durationMinutes: 20,
      state: 'BOOKED',
      leadId,
      title: 'Dr. Rao, Tuesday',
    })
  })

  test('the recorded object that has only a start', () => {
    expect(slotOf({ startsAt, state: 'FREE' })).toMatchObject({
      doctorId: null,
      leadId: null,
      title: null,
      durationMinutes: 15,
      state: 'FREE',
    })
  })

  test.each([[undefined], [null], [''], ['soon'], [7], ['2026-13-45T00:00:00Z'], ['0001-01-01T00:00:00Z'], ['9999-01-01T00:00:00Z']])(
    'a start of %j is none',
    (start) => expect(slotsOf({ startsAt: start })).toEqual([]),
  )

  test.each([
    ['2026-11-24T10:00:00', '2026-11-24T04:30:00.000Z'],
    ['2026-11-24 10:00', '2026-11-24T04:30:00.000Z'],
    ['2026-11-24T10:00:00+0530', '2026-11-24T04:30:00.000Z'],
    ['2026-11-24T06:30:00+02:00', '2026-11-24T04:30:00.000Z'],
    ['2026-11-24', '2026-11-23T18:30:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9998-12-31T23:59:59Z', '9998-12-31T23:59:59.000Z'],
  ])('a start written as %s', (written, read) => expect(slotOf({ startsAt: written })?.startsAt).toBe(read))

  test.each([
    ['no end', undefined, 30],
    ['an end that is the start', startsAt, 30],
    ['an end before the start', '2026-11-23T04:30:00Z', 30],
    ['an end days later', '2026-11-29T04:30:00Z', 30],
    ['an end', '2026-11-24T05:15:00Z', 45],
    ['an end a day later', '2026-11-25T04:30:00Z', 1_440],
  ])('with %s', (_, endsAt, minutes) => expect(slotOf({ startsAt, endsAt }, { slotMinutes: 30 })?.durationMinutes).toBe(minutes))

  test.each([
    ['FREE', null, 'FREE'],
    ['free', null, 'FREE'],
    ['FREE', leadId, 'FREE'],
    ['HELD', null, 'HELD'],
    ['BOOKED', null, 'BOOKED'],
    ['CONFIRMED', leadId, 'BOOKED'],
    ['CANCELLED', leadId, 'HELD'],
    ['AVAILABLE', null, 'HELD'],
    ['', null, 'HELD'],
    [null, null, 'HELD'],
    [{}, null, 'HELD'],
    [undefined, null, 'FREE'],
    [undefined, leadId, 'BOOKED'],
  ])('state %j with lead %j', (state, lead, read) => expect(slotOf({ startsAt, state, leadId: lead })?.state).toBe(read))

  test('a slot that has begun is PAST in any state', () => {
    for (const state of ['FREE', 'HELD', 'BOOKED', 'ODD'])
      expect(slotOf({ startsAt: new Date(now).toISOString(), state })?.state).toBe('PAST')
    expect(slotOf({ startsAt: new Date(now + 1).toISOString(), state: 'FREE' })?.state).toBe('FREE')
  })
})

/** Whatever a platform, or a hand on it, may have put into a field. */
const anyField = fc.oneof(
  fc.anything(),
  fc.string(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('FREE', 'HELD', 'BOOKED', 'free', 'CANCELLED', leadId),
)
const anyRecords: fc.Arbitrary<DirectoryRecords> = fc.record({
  doctors: fc.array(
    fc.record({ id: fc.uuid(), name: anyField, languages: anyField, fee: anyField, active: anyField, speciality: anyField }),
  ),
  slots: fc.array(
    fc.record({ id: fc.uuid(), startsAt: anyField, endsAt: anyField, state: anyField, leadId: anyField, doctorId: anyField }),
  ),
})
const zones = [
  'Asia/Kolkata',
  'America/New_York',
  'Europe/London',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Apia',
  'Africa/Casablanca',
  'UTC',
]
const anyZone = fc.constantFrom(...zones)
const anyMoment = fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2060, 0) }).map((ms) => ms - (ms % 60_000))

const wholeSecond = (moment: string): number => Math.floor(Date.parse(moment) / 1_000) * 1_000

describe('hostile values', () => {
  test('never throws, and returns complete doctors and slots', () => {
    fc.assert(
      fc.property(anyRecords, anyZone, (records, timeZone) => {
        const { doctors, slots } = normaliseDirectory(records, { ...visits, timeZone })
        expect(doctors).toHaveLength(records.doctors.length)
        for (const { name, fee, languages } of doctors) {
          expect(name.trim()).not.toBe('')
          expect(fee === null || (Number.isFinite(fee) && fee >= 0)).toBe(true)
          expect(new Set(languages.map((language) => language.toLowerCase())).size).toBe(languages.length)
        }
        for (const slot of slots) {
          expect(Date.parse(slot.endsAt)).toBeGreaterThan(Date.parse(slot.startsAt))
          expect(Date.parse(slot.localStartsAt)).toBe(wholeSecond(slot.startsAt))
          expect(Date.parse(slot.localEndsAt)).toBe(wholeSecond(slot.endsAt))
          expect(slot.state === 'PAST').toBe(Date.parse(slot.startsAt) <= now)
        }
        const starts = slots.map(({ startsAt }) => startsAt)
        expect(starts).toEqual(starts.toSorted())
      }),
    )
  })

  test('only a slot with state FREE, or with no state and no lead, is FREE', () => {
    const anyState = fc.oneof(fc.string(), fc.constantFrom('FREE', ' Free ', 'OPEN', null, undefined, 7))
    fc.assert(
      fc.property(anyState, fc.constantFrom(leadId, null, undefined), (state, lead) => {
        const isFree = slotOf({ startsAt: '2026-11-24T04:30:00.000Z', state, leadId: lead })?.state === 'FREE'
        const saysSo = typeof state === 'string' && state.trim().toUpperCase() === 'FREE'
        expect(isFree).toBe(saysSo || (state === undefined && lead !== leadId))
      }),
    )
  })
})

describe('time zones', () => {
  test('a local time has the offset of that zone at that moment', () => {
    fc.assert(
      fc.property(anyMoment, anyZone, (at, zone) => {
        const local = localMoment(at, zone)
        expect(Date.parse(local)).toBe(at)
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(at)
        expect(local.slice(0, 19).replace('T', ' ')).toBe(shown)
      }),
    )
  })

  test('a local time maps to a moment with that local time, unless the clocks skip it', () => {
    fc.assert(
      fc.property(anyMoment, anyZone, (at, zone) => {
        const shown = Date.parse(`${localMoment(at, zone).slice(0, 19)}Z`)
        const found = momentOfLocal(shown, zone)
        expect(localMoment(found, zone).slice(0, 19)).toBe(localMoment(at, zone).slice(0, 19))
        expect(found).toBeLessThanOrEqual(at)
      }),
    )
  })

  test.each([
    ['New York springs forward', 'America/New_York', '2026-03-08T02:30:00', '2026-03-08T03:30:00-04:00'],
    ['New York falls back: the first coming', 'America/New_York', '2026-11-01T01:30:00', '2026-11-01T01:30:00-04:00'],
    ['London, the night before', 'Europe/London', '2026-03-28T23:59:00', '2026-03-28T23:59:00+00:00'],
    ['London, the morning after', 'Europe/London', '2026-03-29T09:00:00', '2026-03-29T09:00:00+01:00'],
    ['half an hour at Lord Howe', 'Australia/Lord_Howe', '2026-10-04T02:10:00', '2026-10-04T02:40:00+11:00'],
  ])('%s', (_, timeZone, ...[written, shown]) => {
    expect(slotOf({ startsAt: written }, { timeZone })?.localStartsAt).toBe(shown)
  })

  test('a visit across a clock change keeps its duration', () => {
    const slot = slotOf({ startsAt: '2026-11-01T05:45:00Z', endsAt: '2026-11-01T06:15:00Z' }, { timeZone: 'America/New_York' })
    expect(slot).toMatchObject({
      localStartsAt: '2026-11-01T01:45:00-04:00',
      localEndsAt: '2026-11-01T01:15:00-05:00',
      durationMinutes: 30,
    })
  })

  test.each(['Asia/Kolkata', 'Asia/Calcutta', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('%s is a time zone', (zone) =>
    expect(isTimeZone(zone)).toBe(true),
  )
  test.each(['', 'Kolkata', '+05:30', 'Asia/Nowhere', 'IST-India', '../etc'])('%j is no time zone', (zone) =>
    expect(isTimeZone(zone)).toBe(false),
  )
})

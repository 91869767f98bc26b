import { defineTexts } from '../i18n/texts.ts'

/** Of calls, wherever they are shown. */
export const useCallTexts = defineTexts({
  en: {
    callNumber: (number: string) => `Call ${number}`,
    alreadyClaimed: (name: string) => `${name} has this person now`,
    withheld: 'Number withheld',
    RINGING: 'Ringing',
    ANSWERED: 'Connected',
    COMPLETED: 'Ended',
    MISSED: 'Not answered',
    noOutcome: 'No outcome',
    INBOUND: 'Incoming call',
    OUTBOUND: 'Outgoing call',
    toDesk: 'Open the call',
    from: (who: string) => `Call: ${who}`,
  },
  hi: {
    callNumber: (number) => `${number} पर कॉल करें`,
    alreadyClaimed: (name) => `यह व्यक्ति अभी ${name} के पास है`,
    withheld: 'छिपा हुआ नंबर',
    RINGING: 'बज रहा है',
    ANSWERED: 'बात हो रही है',
    COMPLETED: 'समाप्त',
    MISSED: 'जवाब नहीं मिला',
    noOutcome: 'कोई परिणाम नहीं',
    INBOUND: 'आने वाली कॉल',
    OUTBOUND: 'जाने वाली कॉल',
    toDesk: 'कॉल खोलें',
    from: (who) => `कॉल: ${who}`,
  },
})

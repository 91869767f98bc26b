import { plural } from '../../../i18n/plural.ts'
import { defineTexts } from '../../../i18n/texts.ts'

export const useAlertTexts = defineTexts({
  en: {
    title: 'Alerts',
    lead: (count: number) => plural('en', count, { one: '1 alert is active', other: `${count} alerts are active` }),
    none: 'No alert is active',
    active: 'Active alerts',
    show: 'Show',
    onlyActive: 'Active',
    all: 'All',
    acknowledge: 'I have seen it',
    seenBy: (name: string) => `Seen by ${name}`,
    somebody: 'a manager',
    more: (count: number) => plural('en', count, { one: '1 more alert', other: `${count} more alerts` }),
    what: 'Alert',
    limit: 'Limit',
    raised: 'Raised',
    lasted: 'Lasted',
    stillActive: 'Active',
    seen: 'Seen',
    empty: 'No alert yet',
    emptyText: 'Alerts appear when a limit of the alerts configuration is reached. They are stored for 30 days.',
    calls: (count: number) => plural('en', count, { one: '1 call', other: `${count} calls` }),
    minutes: (count: number) => `${count} min`,
    MISSED_CALLS_WAITING: (value: number, _name: string) =>
      plural('en', value, { one: '1 missed call waits for a callback', other: `${value} missed calls wait for a callback` }),
    LONGEST_WAIT: (value: number, _name: string) =>
      plural('en', value, { one: 'A missed call has waited for 1 minute', other: `A missed call has waited for ${value} minutes` }),
    WRAP_UP: (value: number, name: string) =>
      plural('en', value, { one: `${name} has been in wrap-up for 1 minute`, other: `${name} has been in wrap-up for ${value} minutes` }),
    NO_AGENT_READY: (value: number, _name: string) =>
      plural('en', value, { one: 'No agent has been ready for 1 minute', other: `No agent has been ready for ${value} minutes` }),
    PROVIDER_FAILING: (value: number, name: string) =>
      plural('en', value, { one: `${name} has failed for 1 minute`, other: `${name} has failed for ${value} minutes` }),
    WEBHOOKS_SILENT: (value: number, name: string) =>
      plural('en', value, {
        one: `No event has come from ${name} for 1 minute`,
        other: `No event has come from ${name} for ${value} minutes`,
      }),
    unnamed: 'A partner',
  },
  hi: {
    title: 'चेतावनियाँ',
    lead: (count) => plural('hi', count, { one: `${count} चेतावनी सक्रिय है`, other: `${count} चेतावनियाँ सक्रिय हैं` }),
    none: 'कोई चेतावनी सक्रिय नहीं है',
    active: 'सक्रिय चेतावनियाँ',
    show: 'दिखाएँ',
    onlyActive: 'सक्रिय',
    all: 'सभी',
    acknowledge: 'मैंने देख लिया',
    seenBy: (name) => `${name} ने देखा`,
    somebody: 'किसी प्रबंधक',
    more: (count) => plural('hi', count, { one: `${count} और चेतावनी`, other: `${count} और चेतावनियाँ` }),
    what: 'चेतावनी',
    limit: 'सीमा',
    raised: 'कब से',
    lasted: 'कितनी देर',
    stillActive: 'सक्रिय',
    seen: 'किसने देखा',
    empty: 'अभी तक कोई चेतावनी नहीं',
    emptyText: 'चेतावनी तब आती है जब सेटिंग में दी गई कोई सीमा पार हो। वे 30 दिन तक रहती हैं।',
    calls: (count) => `${count} कॉल`,
    minutes: (count) => `${count} मिनट`,
    MISSED_CALLS_WAITING: (value) => `${value} छूटी हुई कॉल कॉलबैक की प्रतीक्षा में हैं`,
    LONGEST_WAIT: (value) => `एक छूटी हुई कॉल ${value} मिनट से प्रतीक्षा में है`,
    WRAP_UP: (value, name) => `${name} ${value} मिनट से कॉल के बाद का काम कर रहे हैं`,
    NO_AGENT_READY: (value) => `${value} मिनट से कोई एजेंट तैयार नहीं है`,
    PROVIDER_FAILING: (value, name) => `${name} ${value} मिनट से काम नहीं कर रहा`,
    WEBHOOKS_SILENT: (value, name) => `${name} से ${value} मिनट से कोई सूचना नहीं आई`,
    unnamed: 'एक साझेदार',
  },
})

import { expect, test } from "vitest";
import { stemEnglish } from "../../../src/engine/words/porter2.ts";

/** stem: words. From the sample vocabulary on the algorithm's page, and the cases its text names. */
const PUBLISHED = `
  consign: consign consigned consigning consignment
  consist: consist consisted consistency consistent consistently consisting consists
  consol: consolation consolations console consoled consoles consoling consolingly consols
  consolatori: consolatory
  consolid: consolidate consolidated consolidating
  conspicu: conspicuous conspicuously
  conspir: conspirator conspirators conspire conspired conspiring
  conspiraci: conspiracy
  constabl: constable constables
  constanc: constance constancy
  knackeri: knackeries
  knavish: knavish
  kneel: kneel kneeled kneeling kneels
  knight: knight knightly knights
  knit: knit knits knitted knitting
  knive: knives
  knocker: knocker knockers
  guarante: guaranteedly guaranteed
  geolog: geology
  pedagogi: pedagogy
  fair: fairly
  ski: skis
  sky: sky skies
  die: dying
  lie: lying
  ugli: ugly
  onli: only
  news: news
  atlas: atlas
  bias: bias
  inning: inning innings
  vie: vying
  organ: organ organs
  paste: paste pasting
  proceed: proceed proceeding
  generat: generate generates generated generating
  general: general generally
  generic: generic generically
  communiti: community communities
  communic: communication
  arsenal: arsenal arsenals
  tie: ties
  cri: cries cry
  gas: gas
  this: this
  gap: gaps
  kiwi: kiwis
  hope: hoping hoped
  hop: hopping hopped
  luxuri: luxuriated
  by: by
  say: say
  youth: youth
  boy: boy
  fli: flying
  relat: relational relate
  adopt: adoption
  roll: rolling
  probat: probate
  rate: rate
  add: add adds added adding
  egg: egged
  coy: coyness
  ill: illness illnesses
  address: addresses
  busi: businesses
  cheer: cheerful
  annoy: annoyance
  angl: angle angles
  ampl: ample
  crystal: crystallized
  author: authorized
  aid: aide
  abil: ability abilities
  agreeabl: agreeable
  alli: ally allies
  act: acts acted acting
  appli: apply applies applying
  bed: bed beds
  dy: dyed
  die: died
  seawe: seaweed
  blot: blotted
  opinion: opinion opinions
  there: there's there's'
  as: 'as
`;

const CASES = PUBLISHED.trim()
  .split("\n")
  .flatMap((line) => {
    const [stem = "", words = ""] = line.trim().split(": ");
    return words.split(" ").map((word) => [word, stem] as const);
  });

test.each(CASES)("%s has the stem %s", (word, stem) => {
  expect(stemEnglish(word)).toBe(stem);
});

test.each(["", "s", "'", "''", "yyy", "eed", "ing", "ly", "aeiou"])(
  "the odd word %j has some stem",
  (word) => {
    expect(stemEnglish(word).length).toBeLessThanOrEqual(word.length + 1);
  },
);

test.each(["", "s", "as", "by", "'", "''", "'a", "a'"])("the short word %j is its own stem", (word) => {
  expect(stemEnglish(word)).toBe(word);
});

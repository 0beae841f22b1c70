/**
 * English and French words that carry grammar and no subject: articles, prepositions, conjunctions, pronouns,
 * auxiliaries, negations. They must go, because a word of three letters also matches inside of keywords: `son` is in
 * `json`, `vers` in `version`, `est` in `test`.
 *
 * The list is short on purpose, as a word on it can never be matched. Verbs stay (`create`, `use`, `make`, `help`, `go`),
 * and so does every French word that names something in an English text: `ai`, `car`, `ci`, `comment`, `es`, `plus`.
 */
export const CONTEXT_STOP_WORDS: ReadonlySet<string> = new Set(
  [
    // English articles, determiners and pronouns.
    "a an the this that these those some any each every both either neither all such",
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers",
    "herself it its itself they them their theirs themselves one who whom whose which what",
    "someone something anyone anything everyone everything nothing",
    // English prepositions and conjunctions.
    "about above across after against along among around as at before behind below beneath beside between beyond by",
    "despite down during for from in inside into near of off on onto out outside over per since through to toward",
    "towards under until up upon via with within without",
    "and or but nor so if then than because although though unless whether while when where why how",
    // English auxiliaries and negations, with what an apostrophe leaves of them (don't → don).
    "am is are was were be been being do does did doing done have has had having can could will would shall should may",
    "might must not no aren couldn didn doesn don hadn hasn haven isn mustn shouldn wasn weren won wouldn",
    "also here now there too very",
    // French articles, determiners and pronouns.
    "le la les un une des du de au aux ce cet cette ces cela ceci ça celui celle ceux celles chaque tout tous toute toutes",
    "je tu il elle on nous vous ils elles me te se moi toi lui leur leurs eux soi",
    "mon ma mes ton ta tes son sa ses notre nos votre vos qui que quoi dont quel quelle quels quelles",
    // French prepositions and conjunctions.
    "à après apres avant avec chez contre dans depuis dès en entre hors jusque jusqu malgré par pendant pour sans selon",
    "sous sur vers et ou où mais donc ni comme lorsque lorsqu puisque puisqu quand pourquoi si",
    // French auxiliaries and negations.
    "être etre est sont suis sommes êtes était étaient été étant sera seront soit",
    "avoir ont avons avez avait avaient aura auront ayant ne pas non",
  ].flatMap((line) => line.split(" ")),
);

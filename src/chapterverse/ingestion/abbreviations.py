"""What a full stop after a word may mean, by kind of abbreviation: general English, no book's own list.

"etc." is in no list: before a capital it is the end."""

from itertools import chain


def _as_written(words: str) -> frozenset[str]:
    """Only as they stand: "Mass." is a state, "mass." a word."""
    return frozenset(words.split())


def _any_case(words: str) -> frozenset[str]:
    """Also capitalised and in capitals; but a single letter stays as it is ("p. 12" points at a page, "P. Smith" is a name)."""
    return frozenset(chain.from_iterable((w,) if len(w) == 1 else (w, w.capitalize(), w.upper()) for w in words.split()))


# Always followed by what they belong to: a title by its name, "e.g." by its example, "v." by the other party.
NEVER_LAST = _any_case("e.g i.e viz cf vs v approx") | _as_written(
    """Mr MR Mrs MRS Ms MS Mx Messrs MESSRS Mme Mmes Mlle Dr DR Drs Prof PROF Profs Fr Msgr Mgr Capt CAPT Capts Cmdr Lieut Maj
    Supt Adm Brig P.S N.B"""
)

# Point at a number or letter ("p. 12", "Fig. 3.2", "Art. IV", "Dec. 5", "2 Cor. 3", "5 ft. 3"); before anything else they are
# words or have come to their end ("He said no. Then …", "pp. 5 ff. Kant …").
REFERENCES = _any_case(
    """no nos nr p pp pg pgs ch chs chap chaps sec secs sect sects subsec art arts par pars para paras cl fig figs tab tabs eq
    eqs eqn eqns ex exs exx def defs prop props thm cor lem vol vols bk bks pt pts fol fols ff sq sqq seq ver vv ll nn l n c s d
    r f col cols pl pls cap lib tom tit app appx apps ann amend stat reg ord sch sched lect ser qu obs math
    ft lb lbs oz yd yds hr hrs min mins cwt qt gal kg km cm mm ml mg"""
) | _as_written(
    """Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
    Gen Exod Ex Lev Num Deut Josh Judg Sam Kgs Kings Chron Neh Esth Ps Pss Prov Eccl Eccles Cant Isa Is Jer Lam Ezek Dan Hos
    Joel Obad Mic Nah Hab Zeph Hag Zech Mal Matt Mk Lk Jn Rom Cor Gal Eph Phil Col Thess Tim Tit Philem Heb Jas Pet Rev"""
)

# The references after which a lone "A" or "I" is a letter or numeral, not a word: "Fig. A shows", but "said no. I left".
LETTERED = _any_case("sec ch chap vol vols bk pt pl eq appx sched") | _as_written("Fig Figs FIG Art ART Ex App Tab Sect Cl")

# Stand before a name as well as at the end of a sentence: the next word decides.
EITHER = _any_case(
    """al ibid op cit loc ca cp ed eds edn trans transl tr repr rev comp comps esp incl orig fl ob n.b q.v s.v cont dept assn
    assoc bros misc pseud introd"""
) | _as_written(
    """St ST Ste SS Gen Col Lt Sgt Cpl Pvt Rev Revd Hon Rt Gov Sen Rep Pres Sec Treas Atty Insp Sr Sra Bp Abp Ven Bart Bt Jr JR
    Jun Esq Inc Co Cos Corp Ltd Mfg Univ Inst Soc Acad Comm Cttee Gov't Dep't Int'l Nat'l Ass'n
    Ave Blvd Rd Mt Mts Ft Pt Hwy Bldg Apt Sq
    Ala Ariz Ark Calif Cal Colo Conn Del Fla Ga Ill Ind Kan Kans Ky La Md Mass Mich Minn Mo Mont Neb Nebr Nev Okla Ore Oreg
    Pa Penn Penna Tenn Tex Va Vt Wash Wis Wyo Eng Ger Lat Gr
    Wm Geo Chas Thos Jas Jos Jno Benj Edw Robt Saml Danl Alex Fred Theo Chr Ph Th
    Cir Ct Supp Dist Div Cong Sess App Crim Civ Const Rptr Adv Evid Bankr Proc Bull Ann Rec Jour Quart Mag Lit Hist
    Am Amer Brit Fed Nat Phys Chem Biol Psychol Sociol Econ Educ Philos Sci Med Math Anthrop Mem Metaph Nic Op Ep Od Il"""
)

# A date or an hour ends a sentence, unless it opens it ("At 5 a.m. Mr. Smith …", "In 44 B.C. Caesar …").
TIMES = _any_case("a.m p.m") | _as_written("B.C A.D B.C.E C.E")

# Closed-class words. Capitalised in running prose they begin a sentence and are not part of a name: "the U.S. The" is an end,
# "the U.S. Senate" is none. "Of" is not here: names have it ("Dept. Of").
STARTERS = _as_written(
    """I A An The This That These Those He She It We You They His Her Hers Its My Your Our Their One Some Any Each Every Either
    Neither Both All Many Most Much Few Several Such Another Other Others No None Nothing Nobody Everyone Everything
    And But Or Nor For So Yet If Though Although Because While Whilst As Since Unless Until Till Lest Whether Whereas
    In On At By To With From After Before During Under Over Through Upon Among Amongst Between Without Within Into Against
    About Above Beyond Despite Toward Towards Like Unlike
    What When Whenever Where Wherever Which Whichever Who Whoever Whom Whose Why How However
    Then Thus Therefore Hence Here There Now Still Also Moreover Nevertheless Nonetheless Indeed Perhaps Again Only Even Not
    Never Once Often Sometimes Meanwhile Otherwise Furthermore Likewise Similarly Finally First Firstly Secondly Thirdly
    Lastly Next Afterwards Accordingly Consequently Instead Yes Well
    Is Are Was Were Do Does Did Has Have Had Could Would Should Shall Must Let"""
)

# Verbs that tell who spoke: after a quotation that ends in "?" or "!", "Tom asked" goes on with the same sentence.
SPEECH = _as_written(
    """said says asked asks cried cries answered replied exclaimed shouted whispered called muttered murmured demanded inquired
    enquired returned repeated added began continued thought observed remarked screamed yelled sighed laughed roared gasped
    protested suggested wondered interrupted insisted retorted growled pleaded snapped sobbed declared"""
)

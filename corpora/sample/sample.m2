S My Comute
A 1 2|||Mec|||Commute|||REQUIRED|||-NONE-|||0
A 1 2|||Mec|||Commute|||REQUIRED|||-NONE-|||1
A 1 2|||Mec|||Commute|||REQUIRED|||-NONE-|||2

S Every day I spend two hour to go to my office , because I live in suburb of the city .
A 5 6|||Nn|||hours|||REQUIRED|||-NONE-|||0
A 6 8|||Vform|||going|||REQUIRED|||-NONE-|||0
A 16 16|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||hours|||REQUIRED|||-NONE-|||1
A 6 8|||Wci|||travelling|||REQUIRED|||-NONE-|||1
A 11 12|||Mec||||||REQUIRED|||-NONE-|||1
A 15 18|||Wci|||on the outskirts of|||REQUIRED|||-NONE-|||1
A 5 6|||Nn|||hours|||REQUIRED|||-NONE-|||2
A 6 8|||Wci|||travelling|||REQUIRED|||-NONE-|||2
A 11 12|||Mec||||||REQUIRED|||-NONE-|||2
A 16 17|||Nn|||the suburbs|||REQUIRED|||-NONE-|||2

S In the past I was taking the bus , but now the subway have opened a new line near my home .
A 4 6|||Vt|||took|||REQUIRED|||-NONE-|||0
A 13 14|||SVA|||has|||REQUIRED|||-NONE-|||0
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||1
A 4 6|||Vt|||used to take|||REQUIRED|||-NONE-|||1
A 11 18|||WOinc|||a new subway line has opened|||REQUIRED|||-NONE-|||1
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||2
A 4 6|||Vform|||used to take|||REQUIRED|||-NONE-|||2
A 13 14|||SVA|||has|||REQUIRED|||-NONE-|||2

S Although the subway is fast but it is always very crowd in the morning .
A 5 6|||Trans|||,|||REQUIRED|||-NONE-|||0
A 10 11|||Wform|||crowded|||REQUIRED|||-NONE-|||0
A 5 6|||Trans|||,|||REQUIRED|||-NONE-|||1
A 9 11|||Wci|||packed|||REQUIRED|||-NONE-|||1
A 0 2|||Trans|||The|||REQUIRED|||-NONE-|||2
A 5 5|||Mec|||,|||REQUIRED|||-NONE-|||2
A 10 11|||Wform|||crowded|||REQUIRED|||-NONE-|||2

S People pushes each other and nobody say sorry , I think it is very unpolite .
A 1 2|||SVA|||push|||REQUIRED|||-NONE-|||0
A 6 7|||SVA|||says|||REQUIRED|||-NONE-|||0
A 8 9|||Srun|||;|||REQUIRED|||-NONE-|||0
A 14 15|||Wform|||impolite|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||push|||REQUIRED|||-NONE-|||1
A 6 7|||SVA|||says|||REQUIRED|||-NONE-|||1
A 9 13|||Srun|||which I think is|||REQUIRED|||-NONE-|||1
A 14 15|||Wci|||rude|||REQUIRED|||-NONE-|||1
A 1 2|||SVA|||push|||REQUIRED|||-NONE-|||2
A 6 7|||SVA|||says|||REQUIRED|||-NONE-|||2
A 8 10|||Srun|||. I|||REQUIRED|||-NONE-|||2
A 14 15|||Wform|||impolite|||REQUIRED|||-NONE-|||2

S My colleague who living near me , he suggested me to share a car with other two persons .
A 3 4|||Vform|||lives|||REQUIRED|||-NONE-|||0
A 6 8|||Rloc-||||||REQUIRED|||-NONE-|||0
A 9 12|||Vform|||sharing|||REQUIRED|||-NONE-|||0
A 15 17|||WOinc|||two other|||REQUIRED|||-NONE-|||0
A 2 8|||Ssub|||who lives near me|||REQUIRED|||-NONE-|||1
A 9 12|||Vform|||that we share|||REQUIRED|||-NONE-|||1
A 15 18|||WOinc|||two other people|||REQUIRED|||-NONE-|||1
A 3 4|||Vform|||lives|||REQUIRED|||-NONE-|||2
A 6 8|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||2
A 9 12|||Vform|||that I share|||REQUIRED|||-NONE-|||2
A 15 17|||WOinc|||two other|||REQUIRED|||-NONE-|||2
A 17 18|||Nn|||people|||REQUIRED|||-NONE-|||2

S Since then , we go to work together for six months .
A 4 5|||Vt|||have gone|||REQUIRED|||-NONE-|||0
A 0 5|||Vt|||We have now been going|||REQUIRED|||-NONE-|||1
A 0 4|||Rloc-|||We|||REQUIRED|||-NONE-|||2
A 4 5|||Vt|||have been going|||REQUIRED|||-NONE-|||2

S It save money , and also can reduce the air pollutions in our city .
A 1 2|||SVA|||saves|||REQUIRED|||-NONE-|||0
A 5 7|||WOadv|||can also|||REQUIRED|||-NONE-|||0
A 10 11|||Nn|||pollution|||REQUIRED|||-NONE-|||0
A 0 2|||Pref|||This saves|||REQUIRED|||-NONE-|||1
A 3 8|||Rloc-|||and also reduces|||REQUIRED|||-NONE-|||1
A 8 9|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 10 11|||Nn|||pollution|||REQUIRED|||-NONE-|||1
A 1 2|||SVA|||saves|||REQUIRED|||-NONE-|||2
A 5 7|||WOadv|||can also|||REQUIRED|||-NONE-|||2
A 8 9|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||2
A 10 11|||Nn|||pollution|||REQUIRED|||-NONE-|||2

S The driver is Mr. Zhao , he drive very careful and never use his phone .
A 6 7|||Srun|||who|||REQUIRED|||-NONE-|||0
A 7 8|||SVA|||drives|||REQUIRED|||-NONE-|||0
A 9 10|||Wform|||carefully|||REQUIRED|||-NONE-|||0
A 12 13|||SVA|||uses|||REQUIRED|||-NONE-|||0
A 5 7|||Srun|||, who|||REQUIRED|||-NONE-|||1
A 7 8|||SVA|||drives|||REQUIRED|||-NONE-|||1
A 8 10|||Wform|||carefully|||REQUIRED|||-NONE-|||1
A 12 13|||SVA|||uses|||REQUIRED|||-NONE-|||1
A 5 7|||Srun|||. He|||REQUIRED|||-NONE-|||2
A 7 8|||SVA|||drives|||REQUIRED|||-NONE-|||2
A 9 10|||Wform|||carefully|||REQUIRED|||-NONE-|||2
A 12 13|||SVA|||uses|||REQUIRED|||-NONE-|||2

S However , there are some problems with sharing a car .
A 5 7|||Wci|||drawbacks to|||REQUIRED|||-NONE-|||1

S If one person is late , all of the others must to wait for him or her in the cold weather .
A 11 12|||Vform||||||REQUIRED|||-NONE-|||0
A 20 21|||Rloc-||||||REQUIRED|||-NONE-|||0
A 7 8|||Rloc-||||||REQUIRED|||-NONE-|||1
A 10 12|||Vm|||have to|||REQUIRED|||-NONE-|||1
A 14 17|||Pform|||them|||REQUIRED|||-NONE-|||1
A 20 21|||Rloc-||||||REQUIRED|||-NONE-|||1
A 7 8|||Rloc-||||||REQUIRED|||-NONE-|||2
A 11 12|||Vform||||||REQUIRED|||-NONE-|||2
A 20 21|||Rloc-||||||REQUIRED|||-NONE-|||2

S Last week I waited for 40 minutes because Mr. Zhao 's alarm clock did n't rang .
A 15 16|||Vform|||ring|||REQUIRED|||-NONE-|||0
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||1
A 15 16|||Wci|||go off|||REQUIRED|||-NONE-|||1
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||2
A 15 16|||Vform|||ring||go off|||REQUIRED|||-NONE-|||2

S He apologised to us and bought us the breakfast .
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 5 8|||Wci|||treated us to|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S I still prefer this way of commuting .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S Renewable Energy
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S Nowadays the most of countries depends on the fossil fuels such as oil , gas , coal and etc .
A 1 4|||ArtOrDet|||most|||REQUIRED|||-NONE-|||0
A 5 6|||SVA|||depend|||REQUIRED|||-NONE-|||0
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 17 18|||Rloc-||||||REQUIRED|||-NONE-|||0
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||1
A 1 5|||Rloc-|||most countries|||REQUIRED|||-NONE-|||1
A 5 6|||SVA|||depend|||REQUIRED|||-NONE-|||1
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 15 19|||Rloc-|||and coal|||REQUIRED|||-NONE-|||1
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||2
A 1 2|||ArtOrDet||||||REQUIRED|||-NONE-|||2
A 3 4|||Prep||||||REQUIRED|||-NONE-|||2
A 5 6|||SVA|||depend|||REQUIRED|||-NONE-|||2
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||2
A 17 19|||Rloc-|||, etc|||REQUIRED|||-NONE-|||2

S This sources will finish one day and they makes the climate more hot .
A 0 1|||ArtOrDet|||These|||REQUIRED|||-NONE-|||0
A 8 9|||SVA|||make|||REQUIRED|||-NONE-|||0
A 11 13|||Wform|||hotter|||REQUIRED|||-NONE-|||0
A 0 1|||ArtOrDet|||These|||REQUIRED|||-NONE-|||1
A 3 4|||Wci|||run out|||REQUIRED|||-NONE-|||1
A 7 9|||Vt|||are making|||REQUIRED|||-NONE-|||1
A 11 13|||Wform|||hotter|||REQUIRED|||-NONE-|||1
A 0 1|||ArtOrDet|||These|||REQUIRED|||-NONE-|||2
A 3 4|||Wci|||run out|||REQUIRED|||-NONE-|||2
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||2
A 8 9|||SVA|||make|||REQUIRED|||-NONE-|||2
A 11 13|||Wform|||hotter|||REQUIRED|||-NONE-|||2

S Therefore , governments should to invest in the renewable energy like wind , solar and the water power .
A 4 5|||Vform||||||REQUIRED|||-NONE-|||0
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 15 16|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 4 5|||Vform||||||REQUIRED|||-NONE-|||1
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 10 11|||Wtone|||such as|||REQUIRED|||-NONE-|||1
A 15 17|||Wci|||hydroelectric|||REQUIRED|||-NONE-|||1
A 4 5|||Vform||||||REQUIRED|||-NONE-|||2
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||2
A 15 16|||ArtOrDet||||||REQUIRED|||-NONE-|||2

S In my country there is sun the all year , so solar panels is very profitable .
A 6 8|||ArtOrDet|||all|||REQUIRED|||-NONE-|||0
A 13 14|||SVA|||are|||REQUIRED|||-NONE-|||0
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||1
A 3 9|||Wci|||the sun shines all year round|||REQUIRED|||-NONE-|||1
A 13 14|||SVA|||are|||REQUIRED|||-NONE-|||1
A 15 16|||Wci|||cost-effective|||REQUIRED|||-NONE-|||1
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||2
A 6 9|||Wci|||all year round|||REQUIRED|||-NONE-|||2
A 13 14|||SVA|||are|||REQUIRED|||-NONE-|||2
A 15 16|||Wci|||economical||cost-effective|||REQUIRED|||-NONE-|||2

S But the price of the PV panels are still high for poor family .
A 7 8|||SVA|||is|||REQUIRED|||-NONE-|||0
A 12 13|||Nn|||families|||REQUIRED|||-NONE-|||0
A 0 1|||Trans|||However ,|||REQUIRED|||-NONE-|||1
A 5 6|||Wa|||photovoltaic ( PV )|||REQUIRED|||-NONE-|||1
A 7 8|||SVA|||is|||REQUIRED|||-NONE-|||1
A 9 9|||Others|||too|||REQUIRED|||-NONE-|||1
A 12 13|||Nn|||families|||REQUIRED|||-NONE-|||1
A 0 1|||Wtone|||However ,|||REQUIRED|||-NONE-|||2
A 7 8|||SVA|||is|||REQUIRED|||-NONE-|||2
A 12 13|||Nn|||families|||REQUIRED|||-NONE-|||2

S A engineer told to me that one panel costs almost three month 's salary of my father .
A 0 1|||ArtOrDet|||An|||REQUIRED|||-NONE-|||0
A 3 4|||Prep||||||REQUIRED|||-NONE-|||0
A 11 13|||Npos|||months '|||REQUIRED|||-NONE-|||0
A 0 1|||ArtOrDet|||An|||REQUIRED|||-NONE-|||1
A 3 4|||Prep||||||REQUIRED|||-NONE-|||1
A 10 17|||Npos|||three months of my father 's salary|||REQUIRED|||-NONE-|||1
A 0 1|||ArtOrDet|||An|||REQUIRED|||-NONE-|||2
A 3 4|||Prep||||||REQUIRED|||-NONE-|||2
A 11 17|||Npos|||months of my father 's salary|||REQUIRED|||-NONE-|||2

S If the government would give loans , more people will buy it .
A 3 5|||Vt|||gave|||REQUIRED|||-NONE-|||0
A 9 10|||Vm|||would|||REQUIRED|||-NONE-|||0
A 11 12|||Pref|||them|||REQUIRED|||-NONE-|||0
A 3 5|||Vt|||offered|||REQUIRED|||-NONE-|||1
A 9 10|||Vm|||would|||REQUIRED|||-NONE-|||1
A 11 12|||Pref|||them|||REQUIRED|||-NONE-|||1
A 3 5|||Vt|||gives|||REQUIRED|||-NONE-|||2
A 11 12|||Pref|||them|||REQUIRED|||-NONE-|||2

S Another problem is the wind do n't blow always .
A 3 3|||Ssub|||that|||REQUIRED|||-NONE-|||0
A 5 6|||SVA|||does|||REQUIRED|||-NONE-|||0
A 7 9|||WOadv|||always blow|||REQUIRED|||-NONE-|||0
A 3 3|||Ssub|||that|||REQUIRED|||-NONE-|||1
A 5 9|||Wci|||is not constant|||REQUIRED|||-NONE-|||1
A 3 3|||Ssub|||that|||REQUIRED|||-NONE-|||2
A 5 6|||SVA|||does|||REQUIRED|||-NONE-|||2
A 7 9|||WOadv|||always blow|||REQUIRED|||-NONE-|||2

S According to ( NEA 2018 ) , the solar power have grew up by 50 % .
A 2 6|||Cit|||the NEA ( 2018 )|||REQUIRED|||-NONE-|||0
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 10 11|||SVA|||has|||REQUIRED|||-NONE-|||0
A 11 12|||Vform|||grown|||REQUIRED|||-NONE-|||0
A 12 13|||Rloc-||||||REQUIRED|||-NONE-|||0
A 2 6|||Cit|||the National Energy Agency ( NEA , 2018 )|||REQUIRED|||-NONE-|||1
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 10 13|||Vt|||grew|||REQUIRED|||-NONE-|||1
A 2 6|||Cit|||the NEA ( 2018 )|||REQUIRED|||-NONE-|||2
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||2
A 10 11|||SVA|||has|||REQUIRED|||-NONE-|||2
A 11 12|||Vform|||grown|||REQUIRED|||-NONE-|||2
A 12 13|||Rloc-||||||REQUIRED|||-NONE-|||2

S For example in the Morocco , they have built the biggest solar station of the world .
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||0
A 3 4|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 13 14|||Prep|||in|||REQUIRED|||-NONE-|||0
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||1
A 3 4|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 10 11|||Wci|||largest|||REQUIRED|||-NONE-|||1
A 11 13|||Wci|||solar power plant|||REQUIRED|||-NONE-|||1
A 13 14|||Prep|||in|||REQUIRED|||-NONE-|||1
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||2
A 3 4|||ArtOrDet||||||REQUIRED|||-NONE-|||2
A 12 13|||Wci|||plant|||REQUIRED|||-NONE-|||2
A 13 14|||Prep|||in|||REQUIRED|||-NONE-|||2

S Every roof in my street could have a panel on it .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S I beleive that technologie will solve this problems in near future .
A 1 2|||Mec|||believe|||REQUIRED|||-NONE-|||0
A 3 4|||Mec|||technology|||REQUIRED|||-NONE-|||0
A 6 7|||ArtOrDet|||these|||REQUIRED|||-NONE-|||0
A 9 9|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 1 2|||Mec|||believe|||REQUIRED|||-NONE-|||1
A 3 4|||Mec|||technology|||REQUIRED|||-NONE-|||1
A 6 8|||Nn|||this problem|||REQUIRED|||-NONE-|||1
A 9 9|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 1 2|||Mec|||believe|||REQUIRED|||-NONE-|||2
A 3 4|||Mec|||technology|||REQUIRED|||-NONE-|||2
A 6 7|||ArtOrDet|||these|||REQUIRED|||-NONE-|||2
A 9 9|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2

S Only then our childrens can breath clean air .
A 2 5|||WOinc|||can our children|||REQUIRED|||-NONE-|||0
A 5 6|||Wform|||breathe|||REQUIRED|||-NONE-|||0
A 2 6|||WOinc|||will our children be able to breathe|||REQUIRED|||-NONE-|||1
A 2 5|||WOinc|||can our children|||REQUIRED|||-NONE-|||2
A 3 4|||Nn|||children|||REQUIRED|||-NONE-|||2
A 5 6|||Wform|||breathe|||REQUIRED|||-NONE-|||2

S Part-time jobs for university students : good or bad ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S These days many student have part-time job during semester .
A 3 4|||Nn|||students|||REQUIRED|||-NONE-|||0
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 8 8|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||1
A 3 4|||Nn|||students|||REQUIRED|||-NONE-|||1
A 6 7|||Nn|||jobs|||REQUIRED|||-NONE-|||1
A 8 8|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||2
A 3 4|||Nn|||students|||REQUIRED|||-NONE-|||2
A 6 7|||Nn|||jobs|||REQUIRED|||-NONE-|||2
A 8 8|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2

S In my case , I am working in convenience store since last March .
A 5 7|||Vt|||have worked|||REQUIRED|||-NONE-|||0
A 8 8|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 5 7|||Vt|||have been working|||REQUIRED|||-NONE-|||1
A 7 8|||Prep|||at|||REQUIRED|||-NONE-|||1
A 8 8|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 5 7|||Vt|||have been working|||REQUIRED|||-NONE-|||2
A 7 8|||Prep|||at|||REQUIRED|||-NONE-|||2
A 8 8|||ArtOrDet|||a|||REQUIRED|||-NONE-|||2

S After first month manager gave to me the key of store .
A 1 1|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||0
A 3 3|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 5 6|||Prep||||||REQUIRED|||-NONE-|||0
A 9 10|||Prep|||to|||REQUIRED|||-NONE-|||0
A 10 10|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 1 1|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||1
A 3 3|||ArtOrDet|||my|||REQUIRED|||-NONE-|||1
A 4 11|||Wci|||trusted me with the key to the store|||REQUIRED|||-NONE-|||1
A 1 1|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||2
A 3 3|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2
A 5 6|||Prep||||||REQUIRED|||-NONE-|||2
A 9 10|||Prep|||to|||REQUIRED|||-NONE-|||2
A 10 10|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2

S I was so proud , because it meant that she trusted me .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 2 6|||Wtone|||very proud because|||REQUIRED|||-NONE-|||1
A 4 5|||Mec||||||REQUIRED|||-NONE-|||2

S The advantage of part-time job is student can earn money by theirself and learn a responsibility .
A 3 3|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 6 6|||Ssub|||that|||REQUIRED|||-NONE-|||0
A 6 7|||Nn|||students|||REQUIRED|||-NONE-|||0
A 10 12|||Pform|||themselves|||REQUIRED|||-NONE-|||0
A 14 15|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 4 5|||Nn|||jobs|||REQUIRED|||-NONE-|||1
A 6 6|||Ssub|||that|||REQUIRED|||-NONE-|||1
A 6 7|||Nn|||students|||REQUIRED|||-NONE-|||1
A 8 12|||Wci|||support themselves|||REQUIRED|||-NONE-|||1
A 14 16|||Wform|||to be responsible|||REQUIRED|||-NONE-|||1
A 4 5|||Nn|||jobs|||REQUIRED|||-NONE-|||2
A 6 6|||Ssub|||that|||REQUIRED|||-NONE-|||2
A 6 7|||Nn|||students|||REQUIRED|||-NONE-|||2
A 11 12|||Pform|||themselves|||REQUIRED|||-NONE-|||2
A 14 15|||ArtOrDet||||||REQUIRED|||-NONE-|||2

S For example , my friend Jiwoo payed her tuition fee herself and she is feeling very proudly .
A 6 7|||Mec|||paid|||REQUIRED|||-NONE-|||0
A 13 15|||Vt|||feels|||REQUIRED|||-NONE-|||0
A 16 17|||Wform|||proud|||REQUIRED|||-NONE-|||0
A 6 7|||Mec|||paid|||REQUIRED|||-NONE-|||1
A 9 10|||Nn|||fees|||REQUIRED|||-NONE-|||1
A 12 17|||Rloc-|||is very proud of it|||REQUIRED|||-NONE-|||1
A 6 7|||Mec|||paid|||REQUIRED|||-NONE-|||2
A 9 10|||Nn|||fees|||REQUIRED|||-NONE-|||2
A 11 11|||Mec|||,|||REQUIRED|||-NONE-|||2
A 13 15|||Vt|||feels|||REQUIRED|||-NONE-|||2
A 16 17|||Wform|||proud|||REQUIRED|||-NONE-|||2

S Also , we can meet different people and improve our communication skills .
A 0 1|||Trans|||In addition|||REQUIRED|||-NONE-|||1

S On the other hands , some students works too much and can not concentrate to their study .
A 3 4|||Wci|||hand|||REQUIRED|||-NONE-|||0
A 7 8|||SVA|||work|||REQUIRED|||-NONE-|||0
A 14 15|||Prep|||on|||REQUIRED|||-NONE-|||0
A 3 4|||Wci|||hand|||REQUIRED|||-NONE-|||1
A 7 8|||SVA|||work|||REQUIRED|||-NONE-|||1
A 14 15|||Prep|||on|||REQUIRED|||-NONE-|||1
A 16 17|||Nn|||studies|||REQUIRED|||-NONE-|||1
A 3 4|||Wci|||hand|||REQUIRED|||-NONE-|||2
A 7 8|||SVA|||work|||REQUIRED|||-NONE-|||2
A 11 13|||Mec|||cannot|||REQUIRED|||-NONE-|||2
A 14 15|||Prep|||on|||REQUIRED|||-NONE-|||2
A 16 17|||Nn|||studies|||REQUIRED|||-NONE-|||2

S One of my classmate was slept in every lecture , and finally he failed exam .
A 3 4|||Nn|||classmates|||REQUIRED|||-NONE-|||0
A 4 6|||Vform|||slept|||REQUIRED|||-NONE-|||0
A 14 14|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 3 4|||Nn|||classmates|||REQUIRED|||-NONE-|||1
A 4 6|||Wci|||fell asleep|||REQUIRED|||-NONE-|||1
A 11 12|||Trans|||in the end|||REQUIRED|||-NONE-|||1
A 14 14|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 3 4|||Nn|||classmates|||REQUIRED|||-NONE-|||2
A 4 6|||Vform|||was sleeping|||REQUIRED|||-NONE-|||2
A 11 13|||WOadv|||he finally|||REQUIRED|||-NONE-|||2
A 14 14|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2

S He said me " I have no time for sleep , because the boss call me every night " .
A 1 2|||Wci|||told|||REQUIRED|||-NONE-|||0
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||0
A 8 9|||Prep|||to|||REQUIRED|||-NONE-|||0
A 14 15|||SVA|||calls|||REQUIRED|||-NONE-|||0
A 1 2|||Wci|||told|||REQUIRED|||-NONE-|||1
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||1
A 5 10|||Vform|||do n't have time to sleep|||REQUIRED|||-NONE-|||1
A 14 15|||SVA|||calls|||REQUIRED|||-NONE-|||1
A 1 2|||Wci|||told|||REQUIRED|||-NONE-|||2
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||2
A 8 9|||Prep|||to|||REQUIRED|||-NONE-|||2
A 10 11|||Mec||||||REQUIRED|||-NONE-|||2
A 14 15|||SVA|||calls|||REQUIRED|||-NONE-|||2

S Ten hours a week is enough , in my opinion .

S If student work more than that their grade will be fall down .
A 1 2|||Nn|||students|||REQUIRED|||-NONE-|||0
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||0
A 7 8|||Nn|||grades|||REQUIRED|||-NONE-|||0
A 9 12|||Vform|||fall|||REQUIRED|||-NONE-|||0
A 1 2|||Nn|||students|||REQUIRED|||-NONE-|||1
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||1
A 7 8|||Nn|||grades|||REQUIRED|||-NONE-|||1
A 9 12|||Wci|||suffer|||REQUIRED|||-NONE-|||1
A 1 2|||Nn|||students|||REQUIRED|||-NONE-|||2
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||2
A 7 8|||Nn|||grades|||REQUIRED|||-NONE-|||2
A 9 10|||Vform||||||REQUIRED|||-NONE-|||2
A 11 12|||Rloc-||||||REQUIRED|||-NONE-|||2

S So I reccomend to choose the job which have flexible schedule and near from campus .
A 2 3|||Mec|||recommend|||REQUIRED|||-NONE-|||0
A 3 5|||Vform|||choosing|||REQUIRED|||-NONE-|||0
A 5 6|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 8 9|||SVA|||has|||REQUIRED|||-NONE-|||0
A 9 9|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 12 12|||V0|||is|||REQUIRED|||-NONE-|||0
A 13 14|||Prep||||||REQUIRED|||-NONE-|||0
A 2 3|||Mec|||recommend|||REQUIRED|||-NONE-|||1
A 3 5|||Vform|||choosing|||REQUIRED|||-NONE-|||1
A 5 6|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 7 15|||Spar|||with a flexible schedule and a location near campus|||REQUIRED|||-NONE-|||1
A 2 3|||Mec|||recommend|||REQUIRED|||-NONE-|||2
A 3 5|||Vform|||choosing|||REQUIRED|||-NONE-|||2
A 5 6|||ArtOrDet|||a|||REQUIRED|||-NONE-|||2
A 8 9|||SVA|||has|||REQUIRED|||-NONE-|||2
A 9 9|||ArtOrDet|||a|||REQUIRED|||-NONE-|||2
A 12 14|||V0|||is close to|||REQUIRED|||-NONE-|||2

S Two years ago I have moved from Sevilla to Zürich for to study the master .
A 4 5|||Vt||||||REQUIRED|||-NONE-|||0
A 10 11|||Prep||||||REQUIRED|||-NONE-|||0
A 13 15|||ArtOrDet|||a master 's degree|||REQUIRED|||-NONE-|||0
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||1
A 4 5|||Vt||||||REQUIRED|||-NONE-|||1
A 7 8|||Mec|||Seville|||REQUIRED|||-NONE-|||1
A 10 11|||Prep||||||REQUIRED|||-NONE-|||1
A 12 15|||Wci|||do a master 's degree|||REQUIRED|||-NONE-|||1
A 4 5|||Vt||||||REQUIRED|||-NONE-|||2
A 7 8|||Mec|||Seville|||REQUIRED|||-NONE-|||2
A 10 11|||Prep||||||REQUIRED|||-NONE-|||2
A 13 15|||ArtOrDet|||for a master 's degree|||REQUIRED|||-NONE-|||2

S The first weeks was very hards to me because I did n't knew nobody .
A 3 4|||SVA|||were|||REQUIRED|||-NONE-|||0
A 5 6|||Wform|||hard|||REQUIRED|||-NONE-|||0
A 6 7|||Prep|||for|||REQUIRED|||-NONE-|||0
A 12 13|||Vform|||know|||REQUIRED|||-NONE-|||0
A 13 14|||Pform|||anybody|||REQUIRED|||-NONE-|||0
A 3 4|||SVA|||were|||REQUIRED|||-NONE-|||1
A 5 6|||Wform|||hard|||REQUIRED|||-NONE-|||1
A 6 7|||Prep|||for|||REQUIRED|||-NONE-|||1
A 10 14|||Vform|||knew nobody|||REQUIRED|||-NONE-|||1
A 3 4|||SVA|||were|||REQUIRED|||-NONE-|||2
A 5 6|||Wform|||hard|||REQUIRED|||-NONE-|||2
A 6 7|||Prep|||for|||REQUIRED|||-NONE-|||2
A 12 13|||Vform|||know|||REQUIRED|||-NONE-|||2
A 13 14|||Pform|||anybody|||REQUIRED|||-NONE-|||2

S I remember that I was crying in the café behind my résidence , and the waitress gave me “ a chocolate for be happy ” .
A 11 12|||Mec|||residence|||REQUIRED|||-NONE-|||0
A 21 22|||Prep|||to|||REQUIRED|||-NONE-|||0
A 2 6|||Ssub|||crying|||REQUIRED|||-NONE-|||1
A 11 12|||Wci|||hall of residence|||REQUIRED|||-NONE-|||1
A 21 24|||Wci|||to cheer me up|||REQUIRED|||-NONE-|||1
A 4 6|||Vt|||cried|||REQUIRED|||-NONE-|||2
A 11 12|||Wci|||residence|||REQUIRED|||-NONE-|||2
A 21 23|||Wci|||to make me|||REQUIRED|||-NONE-|||2

S The people of here is very punctual .
A 2 3|||Prep||||||REQUIRED|||-NONE-|||0
A 4 5|||SVA|||are|||REQUIRED|||-NONE-|||0
A 0 4|||ArtOrDet|||People here|||REQUIRED|||-NONE-|||1
A 4 5|||SVA|||are|||REQUIRED|||-NONE-|||1
A 2 3|||Prep||||||REQUIRED|||-NONE-|||2
A 4 5|||SVA|||are|||REQUIRED|||-NONE-|||2

S If you arrive five minutes after , they are looking to their watch .
A 5 6|||Wci|||late|||REQUIRED|||-NONE-|||0
A 8 10|||Vt|||look|||REQUIRED|||-NONE-|||0
A 10 11|||Prep|||at|||REQUIRED|||-NONE-|||0
A 12 13|||Nn|||watches|||REQUIRED|||-NONE-|||0
A 2 6|||Wci|||are five minutes late|||REQUIRED|||-NONE-|||1
A 8 10|||Vm|||will look|||REQUIRED|||-NONE-|||1
A 10 11|||Prep|||at|||REQUIRED|||-NONE-|||1
A 12 13|||Nn|||watches|||REQUIRED|||-NONE-|||1
A 5 6|||Wci|||late|||REQUIRED|||-NONE-|||2
A 8 10|||Vt|||look|||REQUIRED|||-NONE-|||2
A 10 11|||Prep|||at|||REQUIRED|||-NONE-|||2
A 12 13|||Nn|||watches|||REQUIRED|||-NONE-|||2

S The Spain is different : we always arrive late and nobody gets angry for that !
A 0 1|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 13 14|||Prep|||about|||REQUIRED|||-NONE-|||0
A 0 1|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 11 14|||Wci|||minds|||REQUIRED|||-NONE-|||1
A 0 1|||ArtOrDet||||||REQUIRED|||-NONE-|||2
A 13 14|||Prep|||about|||REQUIRED|||-NONE-|||2

S Other difference is the food , here they dinner at six o'clock when I have not hungry yet .
A 0 1|||ArtOrDet|||Another|||REQUIRED|||-NONE-|||0
A 5 6|||Srun|||:|||REQUIRED|||-NONE-|||0
A 8 9|||Wform|||dine|||REQUIRED|||-NONE-|||0
A 14 15|||Wci|||am|||REQUIRED|||-NONE-|||0
A 0 1|||ArtOrDet|||Another|||REQUIRED|||-NONE-|||1
A 5 7|||Srun|||. Here|||REQUIRED|||-NONE-|||1
A 7 9|||V0|||people have dinner|||REQUIRED|||-NONE-|||1
A 12 12|||Mec|||,|||REQUIRED|||-NONE-|||1
A 14 18|||Wci|||am not even hungry|||REQUIRED|||-NONE-|||1
A 0 1|||ArtOrDet|||Another|||REQUIRED|||-NONE-|||2
A 5 7|||Srun|||. Here|||REQUIRED|||-NONE-|||2
A 8 9|||V0|||have dinner|||REQUIRED|||-NONE-|||2
A 12 12|||Mec|||,|||REQUIRED|||-NONE-|||2
A 14 18|||WOadv|||am not yet hungry|||REQUIRED|||-NONE-|||2

S My flat mate cooks rösti and sausages almost each day , and it smells deliciously .
A 8 9|||ArtOrDet|||every|||REQUIRED|||-NONE-|||0
A 14 15|||Wform|||delicious|||REQUIRED|||-NONE-|||0
A 1 3|||Mec|||flatmate|||REQUIRED|||-NONE-|||1
A 8 9|||ArtOrDet|||every|||REQUIRED|||-NONE-|||1
A 10 12|||Mec|||and|||REQUIRED|||-NONE-|||1
A 14 15|||Wform|||delicious|||REQUIRED|||-NONE-|||1
A 1 3|||Mec|||flatmate|||REQUIRED|||-NONE-|||2
A 8 9|||ArtOrDet|||every|||REQUIRED|||-NONE-|||2
A 10 12|||Mec|||and|||REQUIRED|||-NONE-|||2
A 14 15|||Wform|||delicious|||REQUIRED|||-NONE-|||2

S With the time I have learnt to cook this dishes also .
A 1 2|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 8 9|||ArtOrDet|||these|||REQUIRED|||-NONE-|||0
A 0 3|||Wci|||Over time ,|||REQUIRED|||-NONE-|||1
A 8 9|||ArtOrDet|||these|||REQUIRED|||-NONE-|||1
A 10 11|||Wci|||too|||REQUIRED|||-NONE-|||1
A 0 3|||Wci|||Over time|||REQUIRED|||-NONE-|||2
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||2
A 8 9|||ArtOrDet|||these|||REQUIRED|||-NONE-|||2
A 10 11|||Wci|||as well|||REQUIRED|||-NONE-|||2

S What I miss the most is to be able to have a conversation in my own language .
A 6 8|||Vform|||being|||REQUIRED|||-NONE-|||1
A 10 13|||Wci|||chat|||REQUIRED|||-NONE-|||1
A 6 8|||Vform|||being|||REQUIRED|||-NONE-|||2

S Now , I speak German every day more better and I have found friends of the all world .
A 5 9|||WOinc|||better every day|||REQUIRED|||-NONE-|||0
A 14 15|||Prep|||from|||REQUIRED|||-NONE-|||0
A 15 17|||WOinc|||all the|||REQUIRED|||-NONE-|||0
A 5 9|||WOinc|||better every day|||REQUIRED|||-NONE-|||1
A 12 13|||Wci|||made|||REQUIRED|||-NONE-|||1
A 14 17|||Prep|||from all over the|||REQUIRED|||-NONE-|||1
A 5 9|||WOinc|||better and better every day|||REQUIRED|||-NONE-|||2
A 9 9|||Mec|||,|||REQUIRED|||-NONE-|||2
A 12 13|||Wci|||made|||REQUIRED|||-NONE-|||2
A 14 17|||Prep|||from all over the|||REQUIRED|||-NONE-|||2

S To live abroad was the best decision of my life , although it has been difficult .
A 0 2|||Wci|||Moving|||REQUIRED|||-NONE-|||1
A 13 15|||Vt|||was|||REQUIRED|||-NONE-|||1
A 0 2|||Vform|||Living|||REQUIRED|||-NONE-|||2

S Walking in the old town , the lake looked like a mirror .
A 0 1|||Smod|||When I was walking|||REQUIRED|||-NONE-|||0
A 1 2|||Prep|||through|||REQUIRED|||-NONE-|||1
A 6 7|||Smod|||I thought that the|||REQUIRED|||-NONE-|||1
A 0 2|||Smod|||As I walked through|||REQUIRED|||-NONE-|||2

S ¡ I recomend it to all the world !
A 0 1|||Mec||||||REQUIRED|||-NONE-|||0
A 2 3|||Mec|||recommend|||REQUIRED|||-NONE-|||0
A 0 1|||Mec||||||REQUIRED|||-NONE-|||1
A 2 3|||Mec|||recommend|||REQUIRED|||-NONE-|||1
A 5 8|||Wci|||everybody|||REQUIRED|||-NONE-|||1
A 0 1|||Mec||||||REQUIRED|||-NONE-|||2
A 2 3|||Mec|||recommend|||REQUIRED|||-NONE-|||2
A 5 8|||Wci|||everybody|||REQUIRED|||-NONE-|||2

S Social networks and real friendship

S I am born in 1999 year , and I do not remember life without internet .
A 1 2|||Vt|||was|||REQUIRED|||-NONE-|||0
A 5 6|||Rloc-||||||REQUIRED|||-NONE-|||0
A 14 14|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 1 2|||Vt|||was|||REQUIRED|||-NONE-|||1
A 3 6|||Rloc-|||in 1999|||REQUIRED|||-NONE-|||1
A 6 8|||Mec|||and|||REQUIRED|||-NONE-|||1
A 9 11|||Vm|||can not|||REQUIRED|||-NONE-|||1
A 14 15|||ArtOrDet|||the Internet|||REQUIRED|||-NONE-|||1
A 1 2|||Vt|||was|||REQUIRED|||-NONE-|||2
A 5 6|||Rloc-||||||REQUIRED|||-NONE-|||2
A 14 14|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2

S In school all my classmates had account in one popular network and we wrote each other during lessons .
A 0 1|||Prep|||At|||REQUIRED|||-NONE-|||0
A 6 6|||ArtOrDet|||an|||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||on|||REQUIRED|||-NONE-|||0
A 14 14|||Prep|||to|||REQUIRED|||-NONE-|||0
A 0 1|||Prep|||At|||REQUIRED|||-NONE-|||1
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||1
A 5 9|||Wci|||were on a|||REQUIRED|||-NONE-|||1
A 13 14|||Wci|||messaged|||REQUIRED|||-NONE-|||1
A 16 18|||Wci|||in class|||REQUIRED|||-NONE-|||1
A 0 1|||Prep|||At|||REQUIRED|||-NONE-|||2
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||2
A 6 6|||ArtOrDet|||an|||REQUIRED|||-NONE-|||2
A 7 9|||Prep|||on a|||REQUIRED|||-NONE-|||2
A 11 11|||Mec|||,|||REQUIRED|||-NONE-|||2
A 14 14|||Prep|||to|||REQUIRED|||-NONE-|||2

S Teacher took away my phone two times , but I always found way to read messages under desk .
A 0 1|||ArtOrDet|||The teacher|||REQUIRED|||-NONE-|||0
A 12 12|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 17 17|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 0 1|||ArtOrDet|||My teacher|||REQUIRED|||-NONE-|||1
A 5 7|||Wci|||twice|||REQUIRED|||-NONE-|||1
A 12 12|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 15 15|||ArtOrDet|||my|||REQUIRED|||-NONE-|||1
A 17 17|||ArtOrDet|||my|||REQUIRED|||-NONE-|||1
A 0 1|||ArtOrDet|||The teacher|||REQUIRED|||-NONE-|||2
A 5 7|||Wci|||twice|||REQUIRED|||-NONE-|||2
A 12 12|||ArtOrDet|||a|||REQUIRED|||-NONE-|||2
A 15 15|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2
A 17 17|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2

S According to scientists from one university who use social networks more than three hours at day feel themselves more lonely .
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||0
A 6 6|||Others|||people|||REQUIRED|||-NONE-|||0
A 14 15|||Prep|||a|||REQUIRED|||-NONE-|||0
A 17 18|||Rloc-||||||REQUIRED|||-NONE-|||0
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||1
A 6 8|||Ssub|||people who spend time on|||REQUIRED|||-NONE-|||1
A 10 10|||Prep|||for|||REQUIRED|||-NONE-|||1
A 14 15|||Prep|||a|||REQUIRED|||-NONE-|||1
A 17 18|||Rloc-||||||REQUIRED|||-NONE-|||1
A 18 20|||Wform|||lonelier|||REQUIRED|||-NONE-|||1
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||2
A 6 6|||Pref|||those|||REQUIRED|||-NONE-|||2
A 10 10|||Prep|||for|||REQUIRED|||-NONE-|||2
A 14 15|||Prep|||a|||REQUIRED|||-NONE-|||2
A 16 20|||Rloc-|||feel lonelier|||REQUIRED|||-NONE-|||2

S At last year my cousin deleted all her accounts and her life became better , she sleeps good and meet with friends .
A 0 2|||Prep|||Last|||REQUIRED|||-NONE-|||0
A 14 15|||Srun|||:|||REQUIRED|||-NONE-|||0
A 17 18|||Wform|||well|||REQUIRED|||-NONE-|||0
A 19 20|||SVA|||meets|||REQUIRED|||-NONE-|||0
A 0 2|||Prep|||Last|||REQUIRED|||-NONE-|||1
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||1
A 14 15|||Srun|||;|||REQUIRED|||-NONE-|||1
A 17 18|||Wform|||well|||REQUIRED|||-NONE-|||1
A 19 20|||SVA|||meets|||REQUIRED|||-NONE-|||1
A 20 22|||Rloc-|||her friends|||REQUIRED|||-NONE-|||1
A 0 2|||Prep|||Last|||REQUIRED|||-NONE-|||2
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||2
A 14 16|||Srun|||. She|||REQUIRED|||-NONE-|||2
A 17 18|||Wform|||well|||REQUIRED|||-NONE-|||2
A 19 20|||SVA|||meets|||REQUIRED|||-NONE-|||2
A 20 21|||Rloc-||||||REQUIRED|||-NONE-|||2

S She says that likes and comments were like a drug for her .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 10 11|||Prep|||to|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S I tried to do same thing during one month but in evening I felt bored .
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 6 7|||Prep|||for|||REQUIRED|||-NONE-|||0
A 11 11|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 6 7|||Prep|||for|||REQUIRED|||-NONE-|||1
A 7 9|||ArtOrDet|||a month|||REQUIRED|||-NONE-|||1
A 9 9|||Mec|||,|||REQUIRED|||-NONE-|||1
A 10 12|||Nn|||in the evenings|||REQUIRED|||-NONE-|||1
A 12 12|||Mec|||,|||REQUIRED|||-NONE-|||1
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2
A 6 7|||Prep|||for|||REQUIRED|||-NONE-|||2
A 7 9|||ArtOrDet|||a month|||REQUIRED|||-NONE-|||2
A 9 9|||Mec|||,|||REQUIRED|||-NONE-|||2
A 11 11|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2

S If to be honest , I opened the application again after the four days .
A 0 2|||Vform|||To|||REQUIRED|||-NONE-|||0
A 11 12|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 0 4|||Wci|||To tell the truth|||REQUIRED|||-NONE-|||1
A 8 9|||Wtone|||app|||REQUIRED|||-NONE-|||1
A 11 12|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 0 2|||Vform|||To|||REQUIRED|||-NONE-|||2
A 8 9|||Wtone|||app|||REQUIRED|||-NONE-|||2
A 11 12|||ArtOrDet||||||REQUIRED|||-NONE-|||2

S Because all information about university meetings is there .
A 0 1|||Sfrag|||This was because|||REQUIRED|||-NONE-|||0
A 0 3|||Sfrag|||After all , all the information|||REQUIRED|||-NONE-|||1
A 0 1|||Sfrag|||It is because|||REQUIRED|||-NONE-|||2
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2

S So , problem is not in networks , problem is in how we use it .
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 8 8|||Trans|||but|||REQUIRED|||-NONE-|||0
A 8 8|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 14 15|||Pref|||them|||REQUIRED|||-NONE-|||0
A 2 12|||Spar|||the problem is not the networks but how|||REQUIRED|||-NONE-|||1
A 14 15|||Pref|||them|||REQUIRED|||-NONE-|||1
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2
A 5 6|||Prep|||with|||REQUIRED|||-NONE-|||2
A 7 9|||Srun|||; the problem|||REQUIRED|||-NONE-|||2
A 10 11|||Prep||||||REQUIRED|||-NONE-|||2
A 14 15|||Pref|||them|||REQUIRED|||-NONE-|||2

S When we sit in cafe , my friends put phones in middle of table , and who first takes phone pays for the everybody .
A 4 4|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 9 9|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 11 11|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 13 13|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 16 17|||Pform|||whoever|||REQUIRED|||-NONE-|||0
A 19 19|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 22 23|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 9 9|||ArtOrDet|||their|||REQUIRED|||-NONE-|||1
A 11 11|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 13 13|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 16 20|||WOinc|||the first one to pick up a phone|||REQUIRED|||-NONE-|||1
A 22 23|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 4 4|||ArtOrDet|||a|||REQUIRED|||-NONE-|||2
A 4 5|||Mec|||café|||REQUIRED|||-NONE-|||2
A 9 9|||ArtOrDet|||their|||REQUIRED|||-NONE-|||2
A 11 11|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2
A 13 13|||ArtOrDet|||the|||REQUIRED|||-NONE-|||2
A 16 17|||Ssub|||whoever|||REQUIRED|||-NONE-|||2
A 17 20|||WOadv|||takes a phone first|||REQUIRED|||-NONE-|||2
A 22 23|||ArtOrDet||||||REQUIRED|||-NONE-|||2

S It is a funny game and it works .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 3 4|||Wci|||fun|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S Real friends is always better then thousand of followers .
A 2 3|||SVA|||are|||REQUIRED|||-NONE-|||0
A 5 6|||Mec|||than|||REQUIRED|||-NONE-|||0
A 6 7|||Nn|||thousands|||REQUIRED|||-NONE-|||0
A 2 3|||SVA|||are|||REQUIRED|||-NONE-|||1
A 5 6|||Mec|||than|||REQUIRED|||-NONE-|||1
A 6 8|||ArtOrDet|||a thousand|||REQUIRED|||-NONE-|||1
A 2 3|||SVA|||are|||REQUIRED|||-NONE-|||2
A 5 6|||Mec|||than|||REQUIRED|||-NONE-|||2
A 6 7|||Nn|||thousands|||REQUIRED|||-NONE-|||2

S Cooking with my Grandmother
A 3 4|||Mec|||grandmother|||REQUIRED|||-NONE-|||2

S As I was a child , I visited every summer my grandmother in a small village by the Elbe .
A 0 1|||Ssub|||When|||REQUIRED|||-NONE-|||0
A 8 12|||WOinc|||my grandmother every summer|||REQUIRED|||-NONE-|||0
A 0 1|||Ssub|||When|||REQUIRED|||-NONE-|||1
A 6 10|||WOinc|||every summer I visited|||REQUIRED|||-NONE-|||1
A 16 17|||Prep|||on|||REQUIRED|||-NONE-|||1
A 0 1|||Ssub|||When|||REQUIRED|||-NONE-|||2
A 7 12|||Vt|||used to visit my grandmother every summer|||REQUIRED|||-NONE-|||2

S She had a kitchen what always smelled after cinnamon and fresh bread .
A 4 5|||Pform|||that|||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||of|||REQUIRED|||-NONE-|||0
A 0 5|||Rloc-|||Her kitchen|||REQUIRED|||-NONE-|||1
A 7 8|||Prep|||of|||REQUIRED|||-NONE-|||1
A 4 5|||Pform|||that|||REQUIRED|||-NONE-|||2
A 7 8|||Prep|||of|||REQUIRED|||-NONE-|||2

S She never used a recipe because she knew all of them by heart .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S In the morning we went on the market and bought the vegetables , the eggs and a big peace of cheese .
A 5 6|||Prep|||to|||REQUIRED|||-NONE-|||0
A 18 19|||Mec|||piece|||REQUIRED|||-NONE-|||0
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||1
A 5 6|||Prep|||to|||REQUIRED|||-NONE-|||1
A 10 11|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 13 14|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 18 19|||Mec|||piece|||REQUIRED|||-NONE-|||1
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||2
A 5 6|||Prep|||to|||REQUIRED|||-NONE-|||2
A 10 15|||ArtOrDet|||vegetables , eggs|||REQUIRED|||-NONE-|||2
A 18 19|||Mec|||piece|||REQUIRED|||-NONE-|||2

S My grandmother spoke with every seller about the weather , her knee and the prices are too high .
A 13 18|||Spar|||the high prices|||REQUIRED|||-NONE-|||0
A 2 4|||Wci|||chatted to|||REQUIRED|||-NONE-|||1
A 5 6|||Wci|||stallholder|||REQUIRED|||-NONE-|||1
A 13 18|||Spar|||how high the prices were|||REQUIRED|||-NONE-|||1
A 5 6|||Wci|||stallholder|||REQUIRED|||-NONE-|||2
A 13 18|||Spar|||the high prices|||REQUIRED|||-NONE-|||2

S " The butter costs since yesterday 20 cent more ! " she said ever .
A 3 9|||WOinc|||has cost 20 cents more since yesterday|||REQUIRED|||-NONE-|||0
A 12 14|||WOadv|||always said|||REQUIRED|||-NONE-|||0
A 1 3|||ArtOrDet|||Butter|||REQUIRED|||-NONE-|||1
A 3 9|||Wci|||is 20 cents dearer than yesterday|||REQUIRED|||-NONE-|||1
A 12 14|||Vt|||used to say|||REQUIRED|||-NONE-|||1
A 3 9|||WOinc|||has cost 20 cents more since yesterday|||REQUIRED|||-NONE-|||2
A 11 14|||Vt|||she would always say|||REQUIRED|||-NONE-|||2

S The hands full with bags we came back and I must peel the potatos .
A 0 2|||ArtOrDet|||Our hands|||REQUIRED|||-NONE-|||0
A 3 4|||Prep|||of|||REQUIRED|||-NONE-|||0
A 5 5|||Mec|||,|||REQUIRED|||-NONE-|||0
A 10 11|||Vm|||had to|||REQUIRED|||-NONE-|||0
A 13 14|||Mec|||potatoes|||REQUIRED|||-NONE-|||0
A 0 2|||ArtOrDet|||With our hands|||REQUIRED|||-NONE-|||1
A 3 4|||Prep|||of|||REQUIRED|||-NONE-|||1
A 5 5|||Mec|||,|||REQUIRED|||-NONE-|||1
A 6 8|||Wci|||returned home|||REQUIRED|||-NONE-|||1
A 10 11|||Vm|||had to|||REQUIRED|||-NONE-|||1
A 13 14|||Mec|||potatoes|||REQUIRED|||-NONE-|||1
A 0 2|||ArtOrDet|||With our hands|||REQUIRED|||-NONE-|||2
A 3 4|||Prep|||of|||REQUIRED|||-NONE-|||2
A 5 5|||Mec|||,|||REQUIRED|||-NONE-|||2
A 10 11|||Vm|||had to|||REQUIRED|||-NONE-|||2
A 13 14|||Mec|||potatoes|||REQUIRED|||-NONE-|||2

S By the cooking she told me stories from the war , from her wedding and from my father as little boy , who had falled once in the river with his suit because he wanted to catch a duck , and I laughed always so much that I forgot the potatos , which we then must begin from new .
A 0 3|||Prep|||While cooking ,|||REQUIRED|||-NONE-|||0
A 19 19|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 24 25|||Vform|||fallen|||REQUIRED|||-NONE-|||0
A 29 30|||Prep|||in|||REQUIRED|||-NONE-|||0
A 42 44|||WOadv|||always laughed|||REQUIRED|||-NONE-|||0
A 50 51|||Mec|||potatoes|||REQUIRED|||-NONE-|||0
A 55 56|||Vm|||had to|||REQUIRED|||-NONE-|||0
A 56 59|||Wci|||begin again|||REQUIRED|||-NONE-|||0
A 0 3|||Ssub|||While we cooked ,|||REQUIRED|||-NONE-|||1
A 7 8|||Prep|||about|||REQUIRED|||-NONE-|||1
A 11 12|||Prep|||about|||REQUIRED|||-NONE-|||1
A 15 19|||Prep|||about my father as a|||REQUIRED|||-NONE-|||1
A 23 27|||Vt|||once fell into|||REQUIRED|||-NONE-|||1
A 29 30|||Prep|||in|||REQUIRED|||-NONE-|||1
A 42 46|||WOadv|||always laughed so hard|||REQUIRED|||-NONE-|||1
A 50 51|||Mec|||potatoes|||REQUIRED|||-NONE-|||1
A 55 59|||Vm|||had to start all over again|||REQUIRED|||-NONE-|||1
A 0 3|||Prep|||While cooking|||REQUIRED|||-NONE-|||2
A 3 3|||Mec|||,|||REQUIRED|||-NONE-|||2
A 19 19|||ArtOrDet|||a|||REQUIRED|||-NONE-|||2
A 24 27|||WOadv|||once fallen into|||REQUIRED|||-NONE-|||2
A 29 30|||Prep|||in|||REQUIRED|||-NONE-|||2
A 42 44|||WOadv|||always laughed|||REQUIRED|||-NONE-|||2
A 50 51|||Mec|||potatoes|||REQUIRED|||-NONE-|||2
A 55 56|||Vm|||had to|||REQUIRED|||-NONE-|||2
A 56 59|||Wci|||begin again|||REQUIRED|||-NONE-|||2

S Today is she 87 years old and lives in an old people 's home .
A 1 3|||WOinc|||she is|||REQUIRED|||-NONE-|||0
A 1 3|||WOinc|||she is|||REQUIRED|||-NONE-|||1
A 9 14|||Wtone|||a care home|||REQUIRED|||-NONE-|||1

S She can not cook no more , therefore I cook for her and she makes only jokes about my dirty kitchen .
A 4 5|||Others|||any|||REQUIRED|||-NONE-|||0
A 6 7|||Srun|||;|||REQUIRED|||-NONE-|||0
A 8 8|||Mec|||,|||REQUIRED|||-NONE-|||0
A 14 16|||WOadv|||only makes|||REQUIRED|||-NONE-|||0
A 2 6|||Rloc-|||no longer cook|||REQUIRED|||-NONE-|||1
A 7 8|||Trans|||so|||REQUIRED|||-NONE-|||1
A 14 17|||Wci|||just jokes|||REQUIRED|||-NONE-|||1
A 4 6|||Wci|||any longer|||REQUIRED|||-NONE-|||2
A 7 8|||Trans|||so|||REQUIRED|||-NONE-|||2
A 15 16|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||2

S She says that my soup is good , but I should the next time take more salt .
A 11 17|||WOinc|||take more salt the next time|||REQUIRED|||-NONE-|||0
A 2 3|||Rloc-||||||REQUIRED|||-NONE-|||1
A 11 17|||WOinc|||use more salt next time|||REQUIRED|||-NONE-|||1
A 11 15|||Wci|||use|||REQUIRED|||-NONE-|||2
A 17 17|||WOadv|||next time|||REQUIRED|||-NONE-|||2

S Last winter I have cooked for the whole family the goose in the style of Granny , gell ?
A 3 4|||Vt||||||REQUIRED|||-NONE-|||0
A 5 11|||WOinc|||the goose for the whole family|||REQUIRED|||-NONE-|||0
A 16 19|||Um|||.|||REQUIRED|||-NONE-|||0
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||1
A 3 4|||Vt||||||REQUIRED|||-NONE-|||1
A 5 11|||WOinc|||a goose for the whole family|||REQUIRED|||-NONE-|||1
A 11 16|||Npos|||Granny 's way|||REQUIRED|||-NONE-|||1
A 16 18|||Um||||||REQUIRED|||-NONE-|||1
A 18 19|||Mec|||.|||REQUIRED|||-NONE-|||1
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||2
A 3 4|||Vt||||||REQUIRED|||-NONE-|||2
A 5 11|||WOinc|||the goose for the whole family|||REQUIRED|||-NONE-|||2
A 11 16|||Npos|||in Granny 's style|||REQUIRED|||-NONE-|||2
A 16 19|||Um|||.|||REQUIRED|||-NONE-|||2

S She eated everything up and said only : " Now you is the grandmother . " .
A 1 2|||Vform|||ate|||REQUIRED|||-NONE-|||0
A 11 12|||SVA|||are|||REQUIRED|||-NONE-|||0
A 16 17|||Mec||||||REQUIRED|||-NONE-|||0
A 1 2|||Vform|||ate|||REQUIRED|||-NONE-|||1
A 3 4|||Rloc-||||||REQUIRED|||-NONE-|||1
A 5 7|||WOadv|||only said|||REQUIRED|||-NONE-|||1
A 11 12|||SVA|||are|||REQUIRED|||-NONE-|||1
A 16 17|||Mec||||||REQUIRED|||-NONE-|||1
A 1 2|||Vform|||ate|||REQUIRED|||-NONE-|||2
A 2 4|||WOinc|||up everything|||REQUIRED|||-NONE-|||2
A 5 7|||WOadv|||only said|||REQUIRED|||-NONE-|||2
A 11 12|||SVA|||are|||REQUIRED|||-NONE-|||2
A 16 17|||Mec||||||REQUIRED|||-NONE-|||2

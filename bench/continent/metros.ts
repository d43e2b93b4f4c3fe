/** A metropolitan area: city, state or province, thousands of people, degrees of latitude and longitude. */
export type Metro = { city: string; state: string; people: number; latitude: number; longitude: number };

/** The large metropolitan areas of the United States and Canada, roughly as in the censuses of 2020 and 2021. */
const TABLE = `
New York|NY|19600|40.71|-74.01;Los Angeles|CA|12900|34.05|-118.24;Chicago|IL|9300|41.88|-87.63
Dallas|TX|8000|32.78|-96.80;Houston|TX|7400|29.76|-95.37;Washington|DC|6300|38.91|-77.04
Philadelphia|PA|6200|39.95|-75.16;Atlanta|GA|6200|33.75|-84.39;Miami|FL|6150|25.78|-80.22
Phoenix|AZ|5000|33.45|-112.07;Boston|MA|4900|42.36|-71.06;Riverside|CA|4650|33.98|-117.37
San Francisco|CA|4600|37.77|-122.42;Detroit|MI|4350|42.33|-83.05;Seattle|WA|4050|47.61|-122.33
Minneapolis|MN|3700|44.98|-93.27;Tampa|FL|3300|27.95|-82.46;San Diego|CA|3270|32.75|-117.13
Denver|CO|3000|39.74|-104.99;Baltimore|MD|2830|39.29|-76.61;Orlando|FL|2800|28.54|-81.38
Charlotte|NC|2780|35.23|-80.84;St. Louis|MO|2800|38.63|-90.20;San Antonio|TX|2700|29.42|-98.49
Portland|OR|2510|45.52|-122.68;Austin|TX|2450|30.27|-97.74;Pittsburgh|PA|2430|40.44|-79.99
Sacramento|CA|2420|38.58|-121.49;Las Vegas|NV|2330|36.17|-115.14;Cincinnati|OH|2270|39.10|-84.51
Kansas City|MO|2220|39.10|-94.58;Columbus|OH|2180|39.96|-83.00;Cleveland|OH|2160|41.48|-81.68
Indianapolis|IN|2140|39.77|-86.16;Nashville|TN|2100|36.16|-86.78;San José|CA|1950|37.34|-121.89
Virginia Beach|VA|1780|36.85|-76.10;Jacksonville|FL|1710|30.33|-81.66;Providence|RI|1670|41.82|-71.42
Milwaukee|WI|1560|43.04|-87.93;Raleigh|NC|1510|35.78|-78.64;Oklahoma City|OK|1480|35.47|-97.52
Louisville|KY|1370|38.25|-85.76;Richmond|VA|1350|37.54|-77.44;Memphis|TN|1340|35.15|-90.05
Salt Lake City|UT|1270|40.76|-111.89;Birmingham|AL|1180|33.52|-86.81;Fresno|CA|1180|36.74|-119.78
Grand Rapids|MI|1160|42.96|-85.67;Buffalo|NY|1160|42.89|-78.88;Hartford|CT|1150|41.76|-72.68
Tucson|AZ|1060|32.22|-110.97;Rochester|NY|1050|43.16|-77.61;Tulsa|OK|1040|36.15|-95.99
Omaha|NE|980|41.26|-95.94;Greenville|SC|960|34.85|-82.40;Worcester|MA|970|42.26|-71.80
Bridgeport|CT|950|41.19|-73.20;Knoxville|TN|930|35.96|-83.92;Albuquerque|NM|920|35.08|-106.65
New Orleans|LA|960|29.95|-90.07;Bakersfield|CA|910|35.37|-119.02;Albany|NY|900|42.65|-73.76
McAllen|TX|890|26.20|-98.23;Baton Rouge|LA|870|30.45|-91.15;Honolulu|HI|990|21.31|-157.86
El Paso|TX|870|31.76|-106.44;Allentown|PA|870|40.60|-75.47;Columbia|SC|850|34.00|-81.03
North Port|FL|890|27.05|-82.24;Charleston|SC|850|32.78|-79.94;Dayton|OH|815|39.76|-84.19
Stockton|CA|800|37.96|-121.29;Boise|ID|810|43.62|-116.21;Greensboro|NC|790|36.07|-79.79
Cape Coral|FL|830|26.60|-81.95;Colorado Springs|CO|770|38.83|-104.82;Little Rock|AR|760|34.75|-92.29
Lakeland|FL|790|28.04|-81.95;Des Moines|IA|730|41.59|-93.62;Akron|OH|700|41.08|-81.52
Springfield|MA|690|42.10|-72.59;Poughkeepsie|NY|700|41.70|-73.93;Ogden|UT|710|41.22|-111.97
Madison|WI|690|43.07|-89.40;Winston-Salem|NC|690|36.10|-80.24;Deltona|FL|720|28.90|-81.26
Syracuse|NY|655|43.05|-76.15;Provo|UT|720|40.23|-111.66;Toledo|OH|640|41.65|-83.54
Wichita|KS|650|37.69|-97.33;Durham|NC|660|35.99|-78.90;Augusta|GA|620|33.47|-81.97
Palm Bay|FL|630|28.03|-80.59;Jackson|MS|610|32.30|-90.18;Harrisburg|PA|600|40.27|-76.88
Spokane|WA|600|47.66|-117.43;Chattanooga|TN|575|35.05|-85.31;Scranton|PA|568|41.41|-75.66
Modesto|CA|552|37.64|-120.99;Lancaster|PA|555|40.04|-76.31;Portland|ME|565|43.66|-70.26
Fayetteville|AR|575|36.06|-94.16;Lansing|MI|540|42.73|-84.56;Youngstown|OH|535|41.10|-80.65
Fayetteville|NC|525|35.05|-78.88;Lexington|KY|520|38.04|-84.50;Pensacola|FL|515|30.42|-87.22
Huntsville|AL|515|34.73|-86.59;Reno|NV|500|39.53|-119.81;Santa Rosa|CA|485|38.44|-122.71
Port St. Lucie|FL|520|27.29|-80.35;Lafayette|LA|480|30.22|-92.02;Springfield|MO|485|37.21|-93.29
Myrtle Beach|SC|530|33.69|-78.89;York|PA|460|39.96|-76.73;Killeen|TX|490|31.12|-97.73
Visalia|CA|475|36.33|-119.29;Asheville|NC|470|35.60|-82.55;Vallejo|CA|450|38.10|-122.26
Santa Maria|CA|445|34.95|-120.44;Salem|OR|435|44.94|-123.04;Salinas|CA|435|36.68|-121.66
Mobile|AL|430|30.69|-88.04;Reading|PA|430|40.34|-75.93;Manchester|NH|425|42.99|-71.46
Corpus Christi|TX|422|27.80|-97.40;Brownsville|TX|425|25.90|-97.50;Fort Wayne|IN|425|41.08|-85.14
Salisbury|MD|425|38.36|-75.60;Gulfport|MS|420|30.37|-89.09;Flint|MI|402|43.01|-83.69
Savannah|GA|415|32.08|-81.09;Peoria|IL|400|40.69|-89.59;Canton|OH|400|40.80|-81.38
Anchorage|AK|400|61.22|-149.90;Beaumont|TX|395|30.08|-94.13;Shreveport|LA|385|32.53|-93.75
Trenton|NJ|385|40.22|-74.76;Montgomery|AL|385|32.37|-86.30;Davenport|IA|382|41.52|-90.58
Tallahassee|FL|388|30.44|-84.28;Eugene|OR|382|44.05|-123.09;Naples|FL|385|26.14|-81.79
Ann Arbor|MI|370|42.28|-83.74;Ocala|FL|390|29.19|-82.14;Hickory|NC|367|35.73|-81.34
Huntington|WV|355|38.42|-82.45;Fort Collins|CO|365|40.59|-105.08;Lincoln|NE|342|40.81|-96.70
Gainesville|FL|342|29.65|-82.32;Rockford|IL|337|42.27|-89.09;Boulder|CO|328|40.01|-105.27
Greeley|CO|340|40.42|-104.71;Columbus|GA|328|32.46|-84.99;Green Bay|WI|330|44.51|-88.01
Spartanburg|SC|340|34.95|-81.93;South Bend|IN|323|41.68|-86.25;Lubbock|TX|325|33.58|-101.86
Clarksville|TN|325|36.53|-87.36;Roanoke|VA|315|37.27|-79.94;Evansville|IN|315|37.97|-87.57
Kennewick|WA|305|46.21|-119.14;Kingsport|TN|308|36.55|-82.56;Olympia|WA|298|47.04|-122.90
Hagerstown|MD|295|39.64|-77.72;Utica|NY|290|43.10|-75.23;Duluth|MN|290|46.79|-92.10
Crestview|FL|290|30.75|-86.57;Wilmington|NC|290|34.23|-77.94;San Luis Obispo|CA|282|35.28|-120.66
Merced|CA|285|37.30|-120.48;Longview|TX|286|32.50|-94.74;Waco|TX|280|31.55|-97.15
Cedar Rapids|IA|276|42.01|-91.64;Sioux Falls|SD|280|43.55|-96.73;Bremerton|WA|277|47.57|-122.63
Santa Cruz|CA|268|36.97|-122.03;Erie|PA|268|42.13|-80.09;Amarillo|TX|268|35.22|-101.83
Norwich|CT|268|41.52|-72.08;Laredo|TX|268|27.51|-99.51;College Station|TX|270|30.63|-96.33
Kalamazoo|MI|262|42.29|-85.59;Lynchburg|VA|262|37.41|-79.14;Charleston|WV|255|38.35|-81.63
Yakima|WA|256|46.60|-120.51;Fargo|ND|252|46.88|-96.79;Binghamton|NY|246|42.10|-75.91
Fort Smith|AR|245|35.39|-94.40;Appleton|WI|243|44.26|-88.41;Prescott|AZ|238|34.54|-112.47
Macon|GA|233|32.84|-83.63;Tyler|TX|235|32.35|-95.30;Topeka|KS|232|39.05|-95.68
Daphne|AL|235|30.60|-87.90;Barnstable|MA|230|41.70|-70.30;Bellingham|WA|228|48.75|-122.48
Rochester|MN|226|44.02|-92.47;Burlington|VT|226|44.48|-73.21;Lafayette|IN|224|40.42|-86.88
Medford|OR|223|42.33|-122.87;Champaign|IL|222|40.12|-88.24;Lake Charles|LA|222|30.23|-93.22
Charlottesville|VA|222|38.03|-78.48;Las Cruces|NM|220|32.31|-106.78;Hilton Head|SC|218|32.22|-80.75
Athens|GA|216|33.96|-83.38;Lake Havasu City|AZ|214|34.48|-114.32;Columbia|MO|210|38.95|-92.33
Springfield|IL|208|39.80|-89.64;Houma|LA|206|29.60|-90.72;Monroe|LA|205|32.51|-92.12
Elkhart|IN|207|41.68|-85.98;Jacksonville|NC|205|34.75|-77.43;Yuma|AZ|205|32.69|-114.63
Florence|SC|200|34.20|-79.77;St. Cloud|MN|200|45.56|-94.16;Bend|OR|200|44.06|-121.32
Racine|WI|196|42.73|-87.78;Saginaw|MI|190|43.42|-83.95;Warner Robins|GA|193|32.62|-83.60
Punta Gorda|FL|195|26.93|-82.05;Terre Haute|IN|185|39.47|-87.41;Billings|MT|185|45.78|-108.50
Redding|CA|182|40.59|-122.39;Joplin|MO|182|37.08|-94.51;St. George|UT|185|37.10|-113.58
Dover|DE|184|39.16|-75.52;Greenville|NC|172|35.61|-77.37;Sherman|TX|140|33.64|-96.61
Jackson|TN|180|35.61|-88.81;Muskegon|MI|175|43.23|-86.25;Iowa City|IA|178|41.66|-91.53
Bowling Green|KY|180|36.99|-86.44;Panama City|FL|180|30.16|-85.66;Hattiesburg|MS|172|31.33|-89.29
Eau Claire|WI|173|44.81|-91.50;Bloomington|IL|170|40.48|-88.99;Abilene|TX|176|32.45|-99.73
Pueblo|CO|168|38.25|-104.61;Midland|TX|175|32.00|-102.08;Odessa|TX|165|31.85|-102.37
Waterloo|IA|168|42.49|-92.34;Bismarck|ND|134|46.81|-100.78;Rapid City|SD|140|44.08|-103.23
Coeur d’Alene|ID|175|47.68|-116.78;Missoula|MT|120|46.87|-113.99;Great Falls|MT|84|47.50|-111.29
Cheyenne|WY|100|41.14|-104.82;Casper|WY|80|42.87|-106.31;Grand Junction|CO|157|39.06|-108.55
Flagstaff|AZ|145|35.20|-111.65;Santa Fe|NM|155|35.69|-105.94;Idaho Falls|ID|160|43.49|-112.03
Fairbanks|AK|95|64.84|-147.72;Juneau|AK|32|58.30|-134.42;Hilo|HI|47|19.71|-155.09
Kahului|HI|160|20.89|-156.47;Bangor|ME|152|44.80|-68.77;Grand Forks|ND|104|47.93|-97.03
Toronto|ON|6200|43.65|-79.38;Montréal|QC|4290|45.50|-73.57;Vancouver|BC|2640|49.26|-123.05
Ottawa|ON|1490|45.42|-75.70;Calgary|AB|1480|51.05|-114.07;Edmonton|AB|1420|53.55|-113.49
Québec|QC|840|46.81|-71.21;Winnipeg|MB|835|49.90|-97.14;Hamilton|ON|785|43.26|-79.87
Kitchener|ON|575|43.45|-80.49;London|ON|545|42.98|-81.25;Halifax|NS|465|44.65|-63.58
Oshawa|ON|415|43.90|-78.86;Victoria|BC|397|48.44|-123.36;Windsor|ON|423|42.31|-83.02
Saskatoon|SK|317|52.13|-106.67;St. Catharines|ON|433|43.16|-79.24;Regina|SK|249|50.45|-104.61
Sherbrooke|QC|227|45.40|-71.89;Kelowna|BC|222|49.89|-119.50;Barrie|ON|212|44.39|-79.69
St. John’s|NL|212|47.56|-52.71;Abbotsford|BC|195|49.05|-122.31;Kingston|ON|172|44.23|-76.49
Sudbury|ON|170|46.49|-81.01;Guelph|ON|165|43.55|-80.25;Saguenay|QC|161|48.43|-71.07
Trois-Rivières|QC|161|46.35|-72.55;Moncton|NB|157|46.09|-64.77;Saint John|NB|130|45.27|-66.06
Peterborough|ON|128|44.31|-78.32;Thunder Bay|ON|123|48.38|-89.25;Lethbridge|AB|123|49.69|-112.83
Nanaimo|BC|115|49.17|-123.94;Kamloops|BC|114|50.67|-120.33;Belleville|ON|111|44.16|-77.38
Fredericton|NB|108|45.96|-66.64;Chilliwack|BC|113|49.16|-121.95;Red Deer|AB|100|52.27|-113.81
Charlottetown|PE|78|46.24|-63.13;Prince George|BC|89|53.92|-122.75;Medicine Hat|AB|76|50.04|-110.68
Whitehorse|YT|28|60.72|-135.06;Yellowknife|NT|20|62.45|-114.37;Iqaluit|NU|8|63.75|-68.52`;

export const METROS: readonly Metro[] = TABLE.trim()
  .split(/[;\n]/)
  .map((row) => {
    const [city = '', state = '', people, latitude, longitude] = row.split('|');
    return { city, state, people: Number(people), latitude: Number(latitude), longitude: Number(longitude) };
  });
